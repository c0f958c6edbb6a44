// The Matlab program, in GNU Octave: a child of this process, which octave/vfi.m runs in. Start-up
// is the interpreter's; a solution is sent to it and waited for.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

namespace fs = std::filesystem;

constexpr const char* interpreter_name = "octave-cli";

std::string unavailable() {
  const char* path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "" : path;
  while (!folders.empty()) {
    const std::size_t colon = folders.find(':');
    const fs::path file = fs::path(folders.substr(0, colon)) / interpreter_name;
    if (::access(file.c_str(), X_OK) == 0) return {};
    folders.remove_prefix(colon == std::string_view::npos ? folders.size() : colon + 1);
  }
  return "GNU Octave is not installed (make replicate OCTAVE=on installs it)";
}

/// A running interpreter that reads commands from a pipe and answers on another.
class Octave {
 public:
  Octave() {
    std::array<int, 2> commands{};
    std::array<int, 2> answers{};
    if (::pipe(commands.data()) != 0 || ::pipe(answers.data()) != 0) {
      throw std::runtime_error("no pipe to Octave could be opened");
    }
    child_ = ::fork();
    if (child_ < 0) throw std::runtime_error("Octave could not be started");
    if (child_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a kill of this process must not leave it behind
      ::dup2(commands[0], STDIN_FILENO);
      ::dup2(answers[1], STDOUT_FILENO);
      for (const int end : {commands[0], commands[1], answers[0], answers[1]}) ::close(end);
      ::execlp(interpreter_name, interpreter_name, "--quiet", "--norc", "--no-history", nullptr);
      ::_exit(127);
    }
    ::close(commands[0]);
    ::close(answers[1]);
    to_ = ::fdopen(commands[1], "w");
    from_ = ::fdopen(answers[0], "r");
  }

  Octave(const Octave&) = delete;
  Octave& operator=(const Octave&) = delete;

  ~Octave() {
    std::fclose(to_);
    std::fclose(from_);
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

  void send(const std::string& command) {
    // Where Octave has died, writing would end this process too, without a word.
    std::signal(SIGPIPE, SIG_IGN);
    if (std::fputs(command.c_str(), to_) < 0 || std::fflush(to_) != 0) gone();
  }

  std::string read_line() {
    std::string line;
    for (int c = std::fgetc(from_); c != '\n'; c = std::fgetc(from_)) {
      if (c == EOF) gone();
      line += static_cast<char>(c);
    }
    return line;
  }

  template <class T>
  void read(std::vector<T>& values) {
    if (std::fread(values.data(), sizeof(T), values.size(), from_) != values.size()) gone();
  }

 private:
  [[noreturn]] static void gone() {
    throw std::runtime_error("Octave ended before it had answered; its message is above");
  }

  pid_t child_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

std::unique_ptr<Octave>& running() {
  static std::unique_ptr<Octave> octave;
  return octave;
}

void start(const Problem&) {
  running() = std::make_unique<Octave>();
  running()->send(
      fmt::format("addpath('{}'); puts(\"ready\\n\"); fflush(stdout);\n", MACROBENCH_OCTAVE_DIR));
  running()->read_line();
}

/// Numbers as an Octave row vector, to the last bit.
std::string vector_literal(const std::vector<double>& values) {
  return fmt::format("[{}]", fmt::join(values, ","));
}

void solve(const Problem& problem, Stages& stages, Solution<double>& solution) {
  const Calibration& c = problem.calibration;
  const CapitalRange range = capital_range(problem);
  Problem small = problem;
  small.nk = 2;  // the capital grid is made there
  const Grids<double> grids = make_grids<double>(small);

  Octave& octave = *running();
  octave.send(fmt::format(
      "K = {} + (0:{})' * (({} - {}) / {}); Z = {}'; P = reshape({}, {}, {})'; V0 = {};\n"
      "c = struct('beta', {}, 'gamma', {}, 'alpha', {}, 'delta', {});\n"
      "o = struct('tolerance', {}, 'iteration_cap', {}, 'howard', {:d}, 'monotone', {:d});\n"
      "[V, policy, iterations, difference] = vfi(K, Z, P, V0, c, o);\n"
      "printf(\"%d %.17g\\n\", iterations, difference); fflush(stdout);\n",
      range.low, problem.nk - 1, range.high, range.low, problem.nk - 1, vector_literal(grids.Z),
      vector_literal(grids.P), problem.nz, problem.nz, vector_literal(grids.V0), c.beta, c.gamma,
      c.alpha, c.delta, problem.tolerance, problem.iteration_cap,
      problem.maximizer == Maximizer::grid_howard, problem.monotone));
  const std::string answer = octave.read_line();
  stages.finish();

  if (std::sscanf(answer.c_str(), "%d %lg", &solution.iterations, &solution.difference) != 2) {
    throw std::runtime_error("Octave answered '" + answer + "'");
  }
  octave.send("fwrite(stdout, V, 'double'); fwrite(stdout, policy, 'int32'); fflush(stdout);\n");
  octave.read(solution.V);
  octave.read(solution.policy);
  solution.converged = solution.difference < problem.tolerance;
}

const RegisterSolver registered{
    {.name = "octave",
     .origin = Origin::published,
     .summary = "the Matlab program, in GNU Octave",
     .axes = {{"maximizer", {"bisection", "grid_howard"}}, {"monotone"}},
     .unavailable = unavailable,
     .start = start,
     .solve_double = solve,
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::rbc
