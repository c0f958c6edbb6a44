#include "harness/commands/run_options.hpp"

#include "harness/commands/command.hpp"

namespace macrobench {

void RunFlags::add_to(Options& app) {
  app.add_option("--deadline", deadline, "Kill a case's process after this long (90s, 10m, none)")
      ->capture_default_str();
  app.add_flag("--certify", certify, "Check every state of every result, however long it takes");
  app.add_flag("--strict", strict,
               "Fail on cells that were not run, timed out or are known to be invalid");
  app.add_option("--min-samples", sampling.minimum,
                 "The least number of solutions, including the first")
      ->range(1, 1'000'000)
      ->capture_default_str();
  app.add_option("--max-samples", sampling.maximum, "The largest number of solutions")
      ->range(1, 1'000'000)
      ->capture_default_str();
  app.add_option("--spread", sampling.relative_spread,
                 "Stop when the median's relative standard error is below this")
      ->range(0.0, 1.0)
      ->capture_default_str();
  app.add_option("--sample-seconds", sampling.seconds, "Start no further solution after this long")
      ->non_negative()
      ->capture_default_str();
}

RunOptions RunFlags::options() const {
  RunOptions options;
  options.sampling = sampling;
  options.deadline = parse_duration(deadline);
  options.thorough = certify;
  return options;
}

}  // namespace macrobench
