// Macrobench as a user meets it: what it prints, and its exit codes.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "harness/command_line/axis_options.hpp"
#include "harness/command_line/command.hpp"
#include "harness/machine/installation.hpp"
#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/strings.hpp"
#include "tests/environment_scope.hpp"
#include "tests/executable.hpp"
#include "tests/harness/fake_counters.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

using nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::MatchesRegex;
using ::testing::UnorderedElementsAre;

TEST(CommandLine, RefusesBadInputWithOneSentence) {
  const std::string run = "run rbc/serial_tuned ";
  const std::string self = std::string("regress --base-program '") + executable_path() + "' ";
  std::string ranges = "2..10001:1";
  for (int i = 0; i < 1000; ++i) ranges += ",2..10001:1";
  for (const auto& [arguments, word] : std::vector<std::pair<std::string, std::string>>{
           {run + "--nk 1", "nk = 1"},
           {run + "--nk 16 --grid_low 30 --grid_high 40", "no feasible choice"},
           {run + "--grid_low 2 --grid_high 1", "grid_high"},
           {run + "--nk", "needs a value"},
           {run + "--nk 4 --nk 5", "twice"},
           {run + "--max-samples 10001", "10000"},
           {run + "--maximizer interpolated", "maximizer = interpolated"},
           {run + "--block 32", "'block'"},
           {"run", "one implementation"},
           {"run serial", "beliefs/serial"},
           {"run newton", "is a model"},
           {"run roofline/cpu --out x", "no solution"},
           {"run krusell_smith/cpu --out /", "other files"},
           {"run krusell_smith/cpu --out nowhere/x", "there is no folder nowhere"},
           {"replicate --budget soon", "90s"},
           {"replicate --budget 20", "20s"},
           {"sweep rbc --nk 128..64", "upwards"},
           {"sweep rbc --implementations serial --nk 2..9901:1 --nz 2..201:1 --gamma 0.5..99.5:1",
            "198,000,000 cases"},
           {"sweep rbc --nk " + ranges, "10,000"},
           {"list programs --setup rbc/cpythn", "rbc/cpython"},
           {"list rbc --setup", "programs"},
           {"list rbc newton", "one name"},
           {"list --format csv", "{text,md,html,json}"},
           {"list --json --format text", "excludes"},
           {"regress", "--base"},
           {"regress --base main --base-program x", "excludes"},
           {"regress --base-program /nowhere", "no such build"},
           {"regress --base-program /bin/true newton/serial", "not macrobench"},
           {"regress --base main --pairs 5", "at least 9"},
           {"regress --base main --threshold auto", "--threshold"},
           {self + "newton --nk 3", "nk"},
           {self + "newton/serial --n many", "n = many"},
           {self + "newton/serial --markdown /nowhere/a.xml", "/nowhere/a.xml"},
           {self + "newton/serial --markdown /", "no file"},
           {"sweep newton --gbench /nowhere/g.json", "/nowhere/g.json"}}) {
    expect_usage_error(arguments, word);
  }
}

TEST(CommandLine, EchoesNothingThatATerminalWouldObey) {
  for (const std::string& hostile : {std::string("a\x1b]0;title\x07\nb\u009b31m\x9b"
                                                 "31m \u202e"),
                                     std::string(50'000, 'x')}) {
    for (const std::string command :
         {"'HERE'", "run 'HERE'", "run 'rbc/HERE'", "run rbc/serial '--HERE' 1",
          "run rbc/serial --nk 'HERE'", "run rbc/serial --maximizer 'HERE'",
          "run rbc/serial --nk 16 --results '/dev/null/HERE'",
          "run krusell_smith/cpu --wealth 'HERE'", "run krusell_smith/cpu --out '/HERE/b'",
          "sweep rbc --nk '1..HERE'", "replicate 'HERE'", "replicate --budget 'HERE'",
          "tables --format 'HERE'", "tables --results 'HERE'", "compare 'HERE' 'HERE'",
          "merge 'HERE'", "sweep newton --part 'HERE'", "regress --base-program 'HERE'"}) {
      const Answer answer = macrobench(std::regex_replace(command, std::regex("HERE"), hostile));
      EXPECT_NE(answer.code, 0) << command;
      EXPECT_EQ(printable(answer.output, "\n"), answer.output) << command;
      EXPECT_EQ(std::count(answer.output.begin(), answer.output.end(), '\n'), 1) << command;
      EXPECT_LT(answer.output.size(), 5'000u) << command;
    }
  }
}

TEST(CommandLine, RunsACase) {
  const Answer answer = macrobench("run rbc/serial_tuned --nk 16 --json");
  ASSERT_EQ(answer.code, 0) << answer.output;
  const auto record = json::parse(answer.output);
  EXPECT_EQ(record.at("key"),
            "rbc/serial_tuned nk=16 nz=4 maximizer=bisection real=double tolerance=1.6e-10");
  EXPECT_EQ(record.at("status"), "measured");
  EXPECT_EQ(record.at("outcome").at("iterations"), 1324);
}

TEST(CommandLine, EveryFigureOfAResultHasItsUnit) {
  const Answer answer = macrobench("run rbc/serial_tuned --nk 16");
  ASSERT_EQ(answer.code, 0) << answer.output;
  const std::string number = " +[-+.e0-9]+ +";
  for (const std::string& row : std::vector<std::string>{
           "residual" + number + "units of utility", "allowed" + number + "units of utility",
           "states checked +64 +all of them", "V_last" + number + "units of utility",
           "euler_error_max" + number + "log10 of a share of consumption", "states +64 +states",
           "policy_distance +0 +grid steps", "value_error" + number + "units of utility"}) {
    EXPECT_THAT(answer.output, ContainsRegex("\n" + row + "\n"));
  }
  EXPECT_THAT(macrobench("run lifecycle/serial --nx 20 --ne 3 --T 4").output,
              HasSubstr("  other_ages"));
  EXPECT_THAT(macrobench("run newton/serial --n 16").output,
              ContainsRegex("\nargmax_first" + number.substr(0, number.size() - 2) + " *\n"));
}

TEST(CommandLine, AUnitFitsItsColumnAndHasNoHistory) {
  for (const std::string model : {"rbc", "newton", "lifecycle", "beliefs", "krusell_smith"}) {
    const auto listed = json_of("list " + model + " --json", "2>/dev/null");
    std::size_t units = 0;
    for (const auto& figure : listed.at("outcome_figures")) {
      const std::string unit = figure.at("unit");
      EXPECT_LE(unit.size(), 31u) << model << ": " << unit;
      EXPECT_THAT(unit, Not(HasSubstr("before")));
      ++units;
    }
    EXPECT_GT(units, 0u) << model;
  }
}

TEST(CommandLine, ARunEndsWithWhatWasCheckedAndHowFarOffItIs) {
  for (const auto& [run, states] : std::vector<std::pair<std::string, std::string>>{
           {"rbc/serial_tuned --nk 16", "all 64 states"},
           {"newton/serial --n 1000", "all 1,000 states"},
           {"lifecycle/serial --nx 1500 --ne 15 --T 4", "a sample of [0-9,]+ states"},
           {"lifecycle/serial --nx 1500 --ne 15 --T 4 --certify", "all 90,000 states"}}) {
    EXPECT_THAT(macrobench("run " + run).output,
                ContainsRegex("\nright at " + states + " \\(largest residual [0-9.]+e-[0-9]+"))
        << run;
  }
}

TEST(CommandLine, AnswersThreeAndShowsNoSolutionWhereAResultIsNotValid) {
  const std::string run =
      "run krusell_smith/frontier --N 500 --T 60 --burn_in 10 --nk 20 --threads 1 --beta .98";
  for (const char* format : {"text", "md", "html"}) {
    const Answer answer = macrobench(run + " --format " + format);
    EXPECT_EQ(answer.code, 3);
    EXPECT_THAT(answer.output, AllOf(HasSubstr("invalid"), HasSubstr("residual")));
    for (const char* result : {"b0_bad", "R2_good", "K_mean", "clips_k", "first solution"}) {
      EXPECT_THAT(answer.output, Not(HasSubstr(result))) << format;
    }
  }
  const auto outcome = json_of(run + " --json").at("outcome");
  EXPECT_FALSE(outcome.at("valid"));
  EXPECT_FALSE(outcome.at("figures").contains("b0_bad"));
  EXPECT_TRUE(outcome.at("figures").contains("clips_K"));
}

TEST(CommandLine, AnswersFourWhereTheCaseTimesOut) {
  EXPECT_THAT(macrobench("run rbc/serial --nk 4096 --deadline 0.1s"),
              Answers(4, HasSubstr("timeout")));
}

TEST(CommandLine, KnownFindingsAreNoFailureUnlessStrict) {
  const std::string run = "run rbc/serial_tuned --nk 1024 --real single --iteration_cap 100 ";
  EXPECT_EQ(macrobench(run).code, 0);
  EXPECT_EQ(macrobench(run + "--strict").code, 3);
}

/// A command, and what macrobench's own help says that it does.
struct Listed {
  std::string name, summary;
};

std::vector<Listed> listed_commands() {
  const std::string help = macrobench("--help").output;
  static const std::regex listed("  ([a-z][a-z-]*) +([A-Z][a-z ].*)");
  std::istringstream lines(help);
  std::vector<Listed> commands;
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_match(line, found, listed)) commands.push_back({found[1], found[2]});
  }
  return commands;
}

/// The lines under "Examples:" that a reader may type; one in capitals says what may be put there.
std::vector<std::string> examples_in(const std::string& help, const std::string& command) {
  static const std::regex capitals("[A-Z]{4,}");
  std::istringstream lines(help.substr(std::min(help.size(), help.find("Examples:"))));
  std::vector<std::string> examples;
  for (std::string line; std::getline(lines, line);) {
    const std::string name = "  macrobench ";
    if (!line.starts_with(name + command) || std::regex_search(line, capitals)) continue;
    examples.push_back(line.substr(name.size(), line.find_first_of("|>") - name.size()));
  }
  return examples;
}

std::set<std::string> names_of_axes() {
  std::set<std::string> names;
  const auto list = json_of("list --json");
  for (const auto& model : list.at("models")) {
    for (const auto& axis : model.at("axes")) names.insert(axis.at("name"));
  }
  return names;
}

TEST(CommandLine, EveryCommandHasHelpWithExamplesThatCanBeTyped) {
  EXPECT_THAT(macrobench("--help").output, HasSubstr("Exit codes"));
  const std::set<std::string> axes = names_of_axes();
  const std::vector<Listed> commands = listed_commands();
  EXPECT_GE(commands.size(), 13U);
  int with_json = 0;
  for (const auto& [name, summary] : commands) {
    SCOPED_TRACE(name);
    const Answer answer = macrobench(name + " --help");
    EXPECT_EQ(answer.code, 0);
    EXPECT_NE(summary, "");
    if (answer.output.find("--json") != std::string::npos) {
      ++with_json;
      EXPECT_THAT(answer.output, HasSubstr("hort for --format json"));
    }
    const std::vector<std::string> examples = examples_in(answer.output, name);
    EXPECT_THAT(examples, Not(IsEmpty())) << answer.output;
    const std::string options = answer.output.substr(0, answer.output.find("Examples:"));
    for (const std::string& example : examples) {
      static const std::regex option("--([a-z][a-z_-]*)");
      for (std::sregex_iterator at(example.begin(), example.end(), option), end; at != end; ++at) {
        EXPECT_TRUE(options.find((*at)[0]) != std::string::npos || axes.contains((*at)[1]))
            << example << " has no " << (*at)[0];
      }
      // What its options take is checked before help is given.
      EXPECT_EQ(macrobench(example + " --help").code, 0) << example;
    }
  }
  EXPECT_GT(with_json, 10);
}

TEST(CommandLine, EveryCommandIsInTheDocuments) {
  const std::filesystem::path root = source_folder();
  std::string documents;
  for (const char* name : {"README.md", "CONTRIBUTING.md", "paper_tables/README.md",
                           "programs/README.md", "results/README.md"}) {
    documents += content_of(root / name);
  }
  for (const auto& page : std::filesystem::directory_iterator(root / "docs")) {
    if (page.is_regular_file()) documents += content_of(page.path());
  }
  for (const Listed& command : listed_commands()) {
    EXPECT_THAT(documents, HasSubstr("macrobench " + command.name));
  }
}

TEST(CommandLine, EveryCommandRefusesAnOptionThatItHasNot) {
  // What takes a model's parameters has to know the model before it can tell, and what is required
  // is missed first.
  const std::map<std::string, std::string> beside{
      {"run", "newton/serial"},
      {"sweep", "newton"},
      {"diff", "newton/serial newton/serial"},
      {"regress", std::string("--base-program '") + executable_path() + "' newton/serial"},
      {"compare", "published/c2075 published/k40"}};
  const TemporaryFolder folder;
  for (const Listed& command : listed_commands()) {
    const auto more = beside.find(command.name);
    std::string arguments = command.name + " --no-such-option 1";
    if (more != beside.end()) arguments += " " + more->second;
    const Answer answer = macrobench(arguments);
    EXPECT_EQ(answer.code, 2) << arguments << "\n" << answer.output;
    EXPECT_THAT(answer.output, AnyOf(HasSubstr("no-such-option"), HasSubstr("no_such_option")));
    EXPECT_EQ(std::count(answer.output.begin(), answer.output.end(), '\n'), 1) << answer.output;
  }
}

TEST(CommandLine, ListAndDoctorSpeakJson) {
  const auto list = json_of("list --json");
  std::vector<std::string> models;
  for (const auto& model : list.at("models")) models.push_back(model.at("name"));
  std::vector<std::string> folders;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_folder() + "/implementations")) {
    if (std::filesystem::exists(entry.path() / "parameters.cpp")) {
      folders.push_back(entry.path().filename().string());
    }
  }
  std::ranges::sort(folders);
  EXPECT_FALSE(folders.empty());
  EXPECT_EQ(models, folders);
  const auto doctor = json_of("doctor --json");
  std::vector<std::string> names;
  for (const auto& one : doctor.at("implementations")) names.push_back(one.at("name"));
  // In every build, with CUDA or without.
  EXPECT_THAT(names, AllOf(Contains("rbc/serial"), Contains("rbc/cuda_c"), Contains("rbc/octave")));
}

/// The number of lines, and the longest one.
std::pair<std::size_t, std::size_t> size_of(const std::string& text) {
  std::istringstream lines(text);
  std::size_t count = 0;
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    widest = std::max(widest, display_width(line));
  }
  return {count, widest};
}

TEST(CommandLine, AloneItGreetsWithCommandsThatCanBeTyped) {
  const Answer answer = macrobench("");
  EXPECT_EQ(answer.code, 0);
  EXPECT_LE(size_of(answer.output).first, 24U);
  std::istringstream lines(answer.output);
  int commands = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  macrobench ")) continue;
    ++commands;
    const std::string typed = line.substr(13, line.find("  ", 13) - 13);
    EXPECT_EQ(macrobench(typed + " --help").code, 0) << typed;
  }
  EXPECT_EQ(commands, 5);
}

TEST(CommandLine, ListFitsAScreenAndGoesDeeper) {
  const Answer all = macrobench("list");
  const auto [lines, widest] = size_of(all.output);
  EXPECT_LE(lines, 24U) << all.output;
  EXPECT_LE(widest, 100U) << all.output;
  EXPECT_THAT(all.output,
              AllOf(HasSubstr("\nrbc "), HasSubstr("published (the paper's"),
                    HasSubstr("macrobench list tables"), HasSubstr("macrobench list claims")));
  EXPECT_THAT(macrobench("list rbc").output,
              AllOf(HasSubstr("rbc/serial_tuned "), HasSubstr("--maximizer "),
                    HasSubstr("frontier (the best"), Not(HasSubstr("beliefs/"))));
  EXPECT_THAT(macrobench("list rbc/serial").output,
              AllOf(HasSubstr("macrobench run rbc/serial --nk "), HasSubstr("--maximizer "),
                    HasSubstr("implementations/rbc/published/serial.cpp")));
  EXPECT_THAT(macrobench("list rbc/thrust_omp").output, HasSubstr("iteration, set_up"));
  EXPECT_THAT(macrobench("list tables").output, HasSubstr("\naldrich_2014/table_2 "));
  EXPECT_THAT(macrobench("list claims").output, HasSubstr("\naldrich_2010\n"));
  EXPECT_EQ(json_of("list rbc --json").at("name"), "rbc");
  EXPECT_EQ(json_of("list rbc/serial --json").at("origin"), "published");
  EXPECT_FALSE(json_of("list tables --json")["tables"]["tables"]["rows"].empty());
  EXPECT_FALSE(json_of("list claims --json")["tables"]["claims"]["rows"].empty());
}

TEST(CommandLine, ProgramsAreListedAndSetUp) {
  EXPECT_THAT(macrobench("list programs"), Answers(0, HasSubstr("rbc/cpython")));
  const json programs = json_of("list programs --json");
  EXPECT_EQ(
      std::ranges::count(programs, "rbc/cpython", [](const json& one) { return one["name"]; }), 1);
  EXPECT_THAT(macrobench("list programs --setup rbc/cpython"),
              Answers(0, HasSubstr("rbc/cpython: ")));
}

TEST(CommandLine, EveryWrongWordGetsTheNearestRightOne) {
  for (const auto& [arguments, word] : std::vector<std::pair<std::string, std::string>>{
           {"replciate", "replicate"},
           {"list rcb", "rbc"},
           {"run rcb/serial --nk 16", "rbc"},
           {"run rbc/seriall --nk 16", "rbc/serial"},
           {"run rbc/serial --betta 0.9", "beta"},
           {"replicate aldrich_2010/table_33", "aldrich_2010/table_3"},
           {std::string("regress --base-program '") + executable_path() + "' newton/seriel",
            "newton/serial"},
           {"list tabels", "tables"},
           {"list rbc/frontir", "rbc/frontier"},
           {"run rbc/Serial", "rbc/serial"},
           {"run rbc/serial --maximiser grid", "maximizer"},
           {"run rbc/serial --dedline 5s", "deadline"},
           {"run rbc/serial --nk 16 --real doubel", "double"},
           {"doctor --jsn", "json"},
           {"replicate --bugdet 5m", "budget"},
           {"replicate aldrich2014", "aldrich_2014"},
           {"replicate aldrich-2014/table-2", "aldrich_2014/table_2"},
           {"compare published/c2057 published/k40", "published/c2075"},
           {"claims aldrich2010 --results '" + source_folder() +
                "/results/reference/amd_epyc_2_cores'",
            "aldrich_2010"}}) {
    expect_usage_error(arguments, "the nearest is '" + word + "'");
  }
}

TEST(CommandLine, DoctorSpeaksToAPerson) {
  const Answer answer = macrobench("doctor", "2>/dev/null");
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.output, AllOf(HasSubstr(" GB\n"), HasSubstr(" cores busy"),
                                   Not(HasSubstr("memory_bytes")), Not(HasSubstr("rbc/serial "))));
  EXPECT_LE(size_of(answer.output).first, 40U) << answer.output;
}

TEST(CommandLine, DoctorMeasuresRates) {
  const json rates = json_of("doctor --measure --json").at("rates");
  EXPECT_THAT(rates[0]["case"].get<std::string>(), StartsWith("roofline/cpu ceiling=copy"));
  for (const json& rate : rates) EXPECT_GT(rate["per_second"], 1e8) << rate;
}

/// Everything that a table's definition may name.
TEST(CommandLine, ListShowsEachFigureAndStageOfAModel) {
  for (const Model& model : Registry::global().models()) {
    const std::string page = macrobench("list " + model.name + " --format md").output;
    for (const std::string& figure : model.figure_names()) {
      EXPECT_THAT(page, HasSubstr("| " + figure + " ")) << model.name;
    }
    for (const AnnouncedStage& stage : model.stages) {
      EXPECT_THAT(page, HasSubstr("| " + stage.name + " ")) << model.name;
    }
  }
  const json figures = json_of("list rbc --json").at("outcome_figures");
  EXPECT_EQ(figures[0].at("name"), "V_first");
  EXPECT_EQ(figures[0].at("unit"), "units of utility");
}

TEST(CommandLine, ListShowsThePapersPlots) {
  EXPECT_THAT(macrobench("list newton").output, HasSubstr("\naldrich_2014/figure_3 "));
  std::vector<std::string> figures;
  const json list = json_of("list --json");
  for (const auto& model : list.at("models")) {
    for (const auto& figure : model.value("figures", json::array())) {
      figures.push_back(figure.at("name"));
    }
  }
  EXPECT_THAT(figures, Contains("oswald_tutorial/period_T_minus_1_corrected"));
}

TEST(CommandLine, JsonIsShortForFormatJson) {
  for (const char* command : {"list", "doctor"}) {
    const auto parsed = [&](const char* option) {
      return json_of(std::string(command) + option, "2>/dev/null");
    };
    auto with_flag = parsed(" --json");
    auto with_format = parsed(" --format json");
    for (auto* one : {&with_flag, &with_format}) {
      if (!one->contains("machine")) continue;
      (*one)["machine"].erase("now");  // the load, and a GPU's clock
      if ((*one)["machine"]["gpu"].is_object()) (*one)["machine"]["gpu"].erase("now");
    }
    EXPECT_EQ(with_flag, with_format) << command;
  }
}

TEST(CommandLine, EveryFormatOfTheListIsOne) {
  EXPECT_THAT(macrobench("list --format md").output, StartsWith("# Models"));
  EXPECT_THAT(macrobench("list --format html").output, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(macrobench("run newton/serial --format md").output, StartsWith("# newton/serial "));
}

TEST(CommandLine, SweepsAGridAndReusesIt) {
  const EnvironmentScope unmeasured = without_speeds();
  const TemporaryFolder folder;
  const std::string sweep =
      "sweep rbc --implementations serial_tuned,frontier --nk 16,32 --real "
      "double,single --json --results '" +
      folder.path().string() + "'";
  const auto first = json_of(sweep, "2>/dev/null");
  EXPECT_EQ(first.size(), 8);
  for (const auto& record : first) EXPECT_EQ(record.at("status"), "measured") << record;
  const auto second = json_of(sweep, "2>/dev/null");
  EXPECT_EQ(first, second) << "the records are there already";
}

// --- a busy machine ----------------------------------------------------------------------------

/// What the shell does before a command that shall see these counters.
std::string seeing(const FakeCounters& counters) {
  return "MACROBENCH_PROC='" + counters.folder() + "' ";
}

TEST(BusyMachine, RunSaysSoFirstAndNotOnStandardOutput) {
  const FakeCounters counters;
  const std::string run = "run newton/serial --n 256 --max-samples 3 --deadline 1s ";
  EXPECT_THAT(macrobench(run, "2>&1 >/dev/null", seeing(counters)).output,
              StartsWith("this machine is busy: "));
  const Answer answer = macrobench(run + "--json", "2>/dev/null", seeing(counters));
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(json::parse(answer.output)["status"], "noisy");
  EXPECT_EQ(macrobench(run + "--strict", "2>/dev/null", seeing(counters)).code, 4);
  EXPECT_THAT(macrobench(run, "2>&1 >/dev/null").output, Not(HasSubstr("busy")));
}

TEST(BusyMachine, ASweepShowsNoisyTimesAndHowToGoOn) {
  const EnvironmentScope unmeasured = without_speeds();
  const TemporaryFolder folder;
  const std::string sweep =
      "sweep newton --implementations serial --n 128,256 --max-samples 3 --deadline 1s --results "
      "'" +
      folder.path().string() + "' ";
  const FakeCounters counters;
  EXPECT_THAT(macrobench(sweep, "2>/dev/null", seeing(counters)),
              Answers(0, AllOf(ContainsRegex("newton/serial n=256 .* (µ|m)?s \\(noisy\\) "),
                               HasSubstr("Solved, but the machine was busy: 2 times are noisy."),
                               HasSubstr("When the machine is quiet, the same command"))));
  EXPECT_THAT(
      macrobench(sweep + "--strict", "2>&1 >/dev/null", seeing(counters)),
      Answers(4, AllOf(StartsWith("this machine is busy: "), Not(HasSubstr("Solved, but")))));
  EXPECT_THAT(macrobench(sweep + "--json", "2>&1 >/dev/null", seeing(counters)).output,
              HasSubstr("Solved, but the machine was busy: 2 times are noisy."));
  EXPECT_THAT(macrobench(sweep + "--strict", "2>&1"),
              Answers(0, AllOf(Not(HasSubstr("noisy")), Not(HasSubstr("(kept)")))));
}

TEST(BusyMachine, RegressSaysSo) {
  const FakeCounters counters;
  const std::string regress = std::string("regress --base-program '") + executable_path() +
                              "' newton/serial --n 256 --process-seconds 0.001 --ambiguous-ok ";
  EXPECT_THAT(macrobench(regress + "--pairs 9", "2>&1 >/dev/null", seeing(counters)).output,
              StartsWith("this machine is busy: "));
}

TEST(CommandLine, ASweepLeavesOutWhatAnImplementationDoesNotAllow) {
  const EnvironmentScope unmeasured = without_speeds();
  const TemporaryFolder folder;
  const auto records =
      json_of("sweep beliefs --implementations serial,frontier --T 4,60 --json --results '" +
                  folder.path().string() + "'",
              "2>/dev/null");
  std::vector<std::string> keys;
  for (const auto& record : records) keys.push_back(record.at("key"));
  EXPECT_THAT(keys, UnorderedElementsAre("beliefs/serial T=4", "beliefs/frontier T=4",
                                         "beliefs/frontier T=60"));
}

TEST(CommandLine, RegressSaysThatThereIsNoSuchCommit) {
  const Answer answer = macrobench("regress --base no-such-commit newton/serial");
  EXPECT_THAT(answer.output, HasSubstr("tools/commit_build: "));
  // Where the sources came without their repository, there is no commit at all.
  if (answer.code != 4) {
    EXPECT_EQ(answer.code, 2) << answer.output;
    EXPECT_THAT(answer.output, HasSubstr("no-such-commit"));
  }
  EXPECT_EQ(std::count(answer.output.begin(), answer.output.end(), '\n'), 1) << answer.output;
}

// What it says of two equal builds depends on the machine's noise; that it is whole does not.
TEST(CommandLine, RegressComparesTwoBuildsAndWritesItsFiles) {
  const TemporaryFolder folder;
  const auto file = [&](const char* name) { return (folder.path() / name).string(); };
  EXPECT_THAT(
      macrobench(
          std::string("regress --base-program '") + executable_path() +
          "' newton/serial --n 256,512 --pairs 9 --process-seconds 0.001 --threshold 100 --json " +
          file("a.json") + " --markdown " + file("a.md") + " --gbench " + file("g.json")),
      Answers(0, AllOf(HasSubstr("Nothing is slower."), HasSubstr("2 same"))));
  const auto made = json::parse(content_of(file("a.json")));
  EXPECT_EQ(made["tables"]["cases"]["rows"].size(), 2);
  EXPECT_EQ(made["tables"]["pairs"]["rows"].size(), 2 * 9);
  EXPECT_THAT(content_of(file("a.md")),
              StartsWith("Nothing is left out.\n\n### Nothing is slower."));
  EXPECT_EQ(made["tables"]["run"]["rows"][0]["left_out"], "Nothing is left out.");
  EXPECT_EQ(json::parse(content_of(file("g.json")))["benchmarks"].size(), 2 * 2);
}

TEST(CommandLine, SweepWritesGoogleBenchmarksJson) {
  const EnvironmentScope unmeasured = without_speeds();
  const TemporaryFolder folder;
  const std::string results = " --results " + (folder.path() / "results").string();
  const std::string file = (folder.path() / "g.json").string();
  const std::string sweep =
      "sweep newton --implementations serial,octave --n 256,512 --sample-seconds 0.01" + results;
  EXPECT_EQ(macrobench(sweep + " --gbench " + file).code, 0);
  const auto written = json::parse(content_of(file));
  EXPECT_TRUE(written["context"]["caches"].is_array());
  const auto& first = written["benchmarks"][0];
  EXPECT_EQ(first["name"], "newton/serial n=256 real=double tolerance=1e-05");
  EXPECT_EQ(first["time_unit"], "ns");
  EXPECT_GT(first["real_time"], 10.0);
  EXPECT_LE(first["low"], first["real_time"]);
  EXPECT_GE(first["high"], first["real_time"]);
  EXPECT_EQ(written["benchmarks"].size() + written["context"]["without_time"].size(), 4);
}

/// Whether each object of the JSON has each of its names once; a parser keeps the last alone.
bool has_names_once(const std::string& text) {
  std::vector<std::set<std::string>> names;
  bool once = true;
  const auto note = [&](int, json::parse_event_t event, json& value) {
    using Event = json::parse_event_t;
    if (event == Event::object_start) names.emplace_back();
    if (event == Event::key) once = names.back().insert(value.get<std::string>()).second && once;
    if (event == Event::object_end) names.pop_back();
    return true;
  };
  return json::parse(text, note).is_object() && once;
}

TEST(CommandLine, GoogleBenchmarksExecutableWritesEachNameOnce) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "g.json").string();
  const std::string executable = test_executables_folder() + "/macrobench_gbench";
  const std::string command = "'" + executable + "' --benchmark_filter=newton/serial.*n=256 " +
                              "--benchmark_min_time=0.01 --benchmark_format=json >" + file +
                              " 2>/dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string text = content_of(file);
  EXPECT_TRUE(has_names_once(text)) << text;
  EXPECT_EQ(json::parse(text)["benchmarks"][0]["solver_iterations"], 2.0);
}

TEST(CommandLine, RegressCountsInstructions) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "valgrind runs no executable of AddressSanitizer's";
#endif
  const std::string self = std::string("regress --instructions --base-program '") +
                           executable_path() + "' newton/serial newton/octave --n 64";
  if (std::system("valgrind --version >/dev/null 2>&1") != 0) {
    expect_usage_error(self, "valgrind, which is not installed: tools/setup valgrind");
    return;
  }
  const FakeCounters counters;
  EXPECT_THAT(macrobench(self, "2>&1", seeing(counters)),
              Answers(0, AllOf(HasSubstr("1 same, 1 left out"), HasSubstr("no change"),
                               Not(HasSubstr("busy")))));
}

TEST(CommandLine, EveryKeptRunAndSweepIsACampaignThatItsRecordsName) {
  const TemporaryFolder folder;
  const std::string results = " --results " + folder.path().string();
  EXPECT_EQ(macrobench("run newton/serial --n 256" + results).code, 0);
  EXPECT_EQ(
      macrobench("sweep newton --implementations serial --n 256..1024 --fresh" + results).code, 0);
  const Results kept = read_results(machine_folders_in(folder.path()).at(0));
  ASSERT_EQ(kept.campaigns.size(), 2);
  const auto records_of = [&](std::size_t campaign) {
    return std::ranges::count(kept.records, kept.campaigns[campaign].id, &Record::campaign);
  };
  EXPECT_EQ(records_of(0), 1);
  EXPECT_EQ(records_of(1), 3);
  for (const Campaign& campaign : kept.campaigns) {
    ASSERT_EQ(campaign.sittings.size(), 1);
    EXPECT_NE(campaign.first().ended, "");
    EXPECT_GE(campaign.first().speeds.size(), 2) << "a copy and a multiply-add";
  }
  EXPECT_EQ(kept.campaigns[0].first().asked,
            "run newton/serial --n 256 --results " + folder.path().filename().string());
}

TEST(CommandLine, SaysWhatASolutionUses) {
  const Answer answer = macrobench("run rbc/serial_tuned --nk 32 --energy", "");
  EXPECT_THAT(answer,
              Answers(0, AnyOf(HasSubstr("joules per solution (RAPL"), HasSubstr("no energy: "))));
  EXPECT_THAT(answer.output, MatchesRegex("(.|\n)*Memory: at most [0-9.]+ MiB resident\n(.|\n)*"));
}

TEST(CommandLine, TwoMachinesOfOneNameHaveTwoFolders) {
  const EnvironmentScope unmeasured = without_speeds();
  const TemporaryFolder folder;
  const std::string results = " --results '" + folder.path().string() + "'";
  const std::string sweep = "sweep newton --implementations serial --n 256" + results;
  for (const char* machine : {"a", "b"}) {
    const EnvironmentScope scope(installation_variable, machine);
    EXPECT_THAT(macrobench(sweep), Answers(0, Not(HasSubstr("kept from before"))));
    EXPECT_THAT(macrobench(sweep).output, HasSubstr("1 case: 0 to run, 1 kept from before."));
  }
  const std::vector<std::filesystem::path> machines = machine_folders_in(folder.path());
  ASSERT_EQ(machines.size(), 2u);
  EXPECT_NE(machines[0], machines[1]);
  for (const std::filesystem::path& machine : machines) {
    EXPECT_EQ(read_results(machine).records.size(), 1u);
    EXPECT_TRUE(folder_name(machine).starts_with(this_machine().slug() + "_"));
  }
}

TEST(CommandLine, NoRunWritesToAReferenceMachine) {
  const EnvironmentScope unmeasured = without_speeds();
  const TemporaryFolder folder;
  const std::filesystem::path reference = folder.path() / reference_name / this_machine().slug();
  RecordStore(reference).append(a_record("a"), this_machine());
  const std::string before = content_of(reference / "records.jsonl");
  for (const std::filesystem::path& given : {reference, reference.parent_path()}) {
    const std::string results = " --results '" + given.string() + "'";
    for (const char* command :
         {"run newton/serial --n 256", "sweep newton --n 256", "replicate cheela_2024/table_3"}) {
      expect_usage_error(command + results, "no run writes to it");
    }
  }
  const Answer beside = macrobench("sweep newton --implementations serial --n 256 --results '" +
                                   folder.path().string() + "'");
  EXPECT_EQ(beside.code, 0) << beside.output;
  EXPECT_EQ(content_of(reference / "records.jsonl"), before);
  EXPECT_TRUE(has_records(folder.path() / this_machine().own_name()));
}

TEST(Duration, ReadsUnits) {
  EXPECT_EQ(parse_duration("90s"), 90);
  EXPECT_EQ(parse_duration("5m"), 300);
  EXPECT_EQ(parse_duration("1.5h"), 5400);
  EXPECT_EQ(parse_duration("0"), 0);
  EXPECT_TRUE(std::isinf(parse_duration("none")));
  for (const char* bad : {"", "m", "-5m", "5 m", "5d"}) {
    EXPECT_THROW(parse_duration(bad), UsageError) << bad;
  }
}

TEST(AxisOptions, TakesBothForms) {
  const AxisOptions options = parse_axis_options({"rbc/serial", "--nk", "-5", "--iteration-cap=7"});
  EXPECT_EQ(options.names, std::vector<std::string>{"rbc/serial"});
  ASSERT_EQ(options.values.size(), 2);
  EXPECT_EQ(options.values[0], (std::pair<std::string, std::string>("nk", "-5")));
  EXPECT_EQ(options.values[1], (std::pair<std::string, std::string>("iteration_cap", "7")));
}

TEST(Nearest, IsTheLeastEdits) {
  EXPECT_EQ(nearest("tabel_3", {"table_1", "table_3", "table_2"}), "table_3");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(nearest("Frontier-CUDA", {"frontier", "frontier_cuda"}), "frontier_cuda");
  EXPECT_THAT(unknown_name("table", "x", {}), HasSubstr("there are none"));
  std::vector<std::string> many;
  for (int i = 0; i < 100; ++i) many.push_back("table_" + std::to_string(i));
  EXPECT_THAT(unknown_name("table", "tabel_42", many),
              AllOf(HasSubstr("the nearest is 'table_42' (the most alike: table_42, "),
                    HasSubstr(" and 94 more)")));
}

}  // namespace
}  // namespace macrobench
