// Programs that exist already, in C++ and in Python, that solve rbc's problem and know nothing of
// the contract: they read and write files of their own.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/files/temporary_folder.hpp"
#include "harness/process/child_process.hpp"
#include "tests/environment_scope.hpp"
#include "tests/executable.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

constexpr const char* in_cpp = R"(
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

int main(int, char** words) {
  const std::string mode = words[1];
  const auto begin = std::chrono::steady_clock::now();
  std::ifstream parameters("../parameters.txt"), grids("grids/all.txt");
  std::string rest;
  const auto next = [&] {
    double value = 0;
    parameters >> value;
    std::getline(parameters, rest);
    return value;
  };
  const int nk = next(), nz = next();
  const double beta = next(), gamma = next(), alpha = next(), delta = next(), tolerance = next();
  std::vector<double> K(nk), Z(nz), P(nz * nz), V(nk * nz, 0.0), W(nk * nz);
  for (auto* grid : {&K, &Z, &P}) for (double& one : *grid) grids >> one;
  std::vector<int> policy(nk * nz);
  if (mode == "fails") {
    std::cerr << "the matrix is singular\n";
    return 3;
  }
  double difference = 1;
  int iterations = 0;
  for (; difference >= tolerance; ++iterations) {
    difference = 0;
    for (int j = 0; j < nz; ++j) {
      int low = 0;
      for (int i = 0; i < nk; ++i) {
        const double y = Z[j] * std::pow(K[i], alpha) + (1 - delta) * K[i];
        double best = -1e300;
        for (int k = low; k < nk && K[k] < y; ++k) {
          double expected = 0;
          for (int l = 0; l < nz; ++l) expected += P[j * nz + l] * V[l * nk + k];
          const double value = std::pow(y - K[k], 1 - gamma) / (1 - gamma) + beta * expected;
          if (value <= best) break;
          best = value;
          low = k;
        }
        W[j * nk + i] = best;
        policy[j * nk + i] = low;
        difference = std::max(difference, std::abs(best - V[j * nk + i]));
      }
    }
    V = W;
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  std::cout << "Iteration 0: begins\nIterations: " << iterations << ", difference: " << difference
            << "\n";
  if (mode != "silent") std::cout << "Solution time: " << taken.count() << " s\n";
  if (mode == "writes_nothing") return 0;
  std::ofstream text("value.txt"), choices("policy.txt"), raw("value.bin", std::ios::binary);
  text << nk << "\n" << nz << "\n" << std::setprecision(mode.find("ten") == 0 ? 10 : 17);
  const int written = nk * nz - (mode == "truncated" ? 1 : 0);
  for (int s = 0; s < written; ++s) {
    if (mode == "word" && s == 4) text << "segfault\n";
    else text << V[s] << "\n";
  }
  for (int i = 0; i < nk; ++i) {
    for (int j = 0; j < nz; ++j) {
      choices << policy[j * nk + i] + (mode == "ten_from_0" ? 0 : 1) << (j + 1 < nz ? ", " : "\n");
      raw.write(reinterpret_cast<const char*>(&V[j * nk + i]), sizeof(double));
    }
  }
}
)";

/// Another author's: choices are capitals, and all is in one output.
constexpr const char* in_python = R"(
import sys, time
begin = time.time()
with open("in.txt") as file:
    nk, nz, *numbers = file.read().split()
nk, nz = int(nk), int(nz)
numbers = [float(number) for number in numbers]
beta, gamma, alpha, delta, tolerance = numbers[:5]
K, Z, P = numbers[5:5 + nk], numbers[5 + nk:5 + nk + nz], numbers[5 + nk + nz:]
ready = time.time()
V = [[0.0] * nk for j in range(nz)]
policy = [[0] * nk for j in range(nz)]
difference, iterations = 1, 0
while difference >= tolerance:
    EV = [[sum(P[j * nz + l] * V[l][k] for l in range(nz)) for k in range(nk)] for j in range(nz)]
    difference = 0
    W = []
    for j in range(nz):
        low, row = 0, []
        for i in range(nk):
            y = Z[j] * K[i] ** alpha + (1 - delta) * K[i]
            best = -1e300
            k = low
            while k < nk and K[k] < y:
                value = (y - K[k]) ** (1 - gamma) / (1 - gamma) + beta * EV[j][k]
                if value <= best:
                    break
                best, low, k = value, k, k + 1
            policy[j][i] = low
            row.append(best)
            difference = max(difference, abs(best - V[j][i]))
        W.append(row)
    V = W
    iterations += 1
print("set-up %g" % (ready - begin), "solved in %g" % (time.time() - ready), iterations)
print("VALUES")
for i in range(nk):
    print(*("%.16e" % V[j][i] for j in range(nz)))
print("CAPITALS")
for j in range(nz):
    print(*("%.10g" % K[k] for k in policy[j]))
)";

/// The program in C++, in the folder of a test.
class Stranger {
 public:
  explicit Stranger(const std::string& mode, const json& result = json::object(),
                    const json& others = json::object()) {
    std::ofstream(folder_->path() / "solve.cpp") << in_cpp;
    json existing{{"parameters",
                   {{"../parameters.txt",
                     {"{nk}, grid points", "{nz}", "{beta}, the discount factor {{0 to 1}",
                      "{gamma}", "{alpha}", "{delta}", "{tolerance}"}},
                    {"grids/all.txt", {"{K}", "{Z}", "{P}"}}}},
                  {"run", {"{build}/solve", mode}},
                  {"result",
                   {{"V", {{"file", "value.txt"}, {"skip", 2}, {"shape", {"nz", "nk"}}}},
                    {"policy",
                     {{"file", "policy.txt"},
                      {"shape", {"nz", "nk"}},
                      {"order", {"nk", "nz"}},
                      {"first", 1}}},
                    {"iterations", "Iterations: "},
                    {"difference", "difference: "},
                    {"converged", 1}}},
                  {"times", {{"solution", "Solution time: "}}}};
    existing["result"].update(result);
    write({{"setup", {{"c++", "-O2", "-o", "{build}/solve", "{here}/solve.cpp"}}},
           {"setup_files", {"solve.cpp"}},
           {"existing", existing}},
          others);
  }

  [[nodiscard]] static Stranger python() {
    Stranger made;
    std::ofstream(made.folder_->path() / "solve.py") << in_python;
    std::ofstream(made.folder_->path() / "in.template")
        << "{nk} {nz} {beta} {gamma} {alpha} {delta} {tolerance}\n{K}\n{Z}\n{P}\n";
    const json values{{"after", "VALUES"}, {"shape", {"nz", "nk"}}, {"order", {"nk", "nz"}}};
    made.write({{"existing",
                 {{"parameters", {{"in.txt", "in.template"}}},
                  {"run", {"python3", "{here}/solve.py"}},
                  {"result",
                   {{"V", values},
                    {"policy", {{"after", "CAPITALS"}, {"shape", {"nz", "nk"}}, {"among", "K"}}},
                    {"iterations", 400},
                    {"difference", 0},
                    {"converged", 1}}},
                  {"times", {{"solution", "solved in "}, {"set_up", "set-up "}}}}}},
               {{"origin", "original"}});
    return made;
  }

  [[nodiscard]] Answer command(const std::string& words, const std::string& streams = "2>&1") {
    const EnvironmentScope builds("MACROBENCH_PROGRAMS_BUILD", built().string());
    return macrobench(fmt::format("{} --programs '{}'", words, folder_->path().string()), streams);
  }

  /// Its record of a small problem.
  [[nodiscard]] json run(const std::string& more = "--nk 32") {
    static_cast<void>(command("programs --setup rbc/stranger"));
    const Answer answer = command(
        "run rbc/stranger --max-samples 3 --sample-seconds 0.01 "
        "--deadline 60s --json " +
            more,
        "2>/dev/null");
    json record = json::parse(answer.output, nullptr, false);
    if (record.is_discarded()) ADD_FAILURE() << answer.output;
    return record;
  }

  [[nodiscard]] std::string folder() const { return folder_->path().string(); }

 private:
  Stranger() = default;

  void write(json first, const json& others) {
    json manifest{{"contract", "macrobench-program/1"},
                  {"model", "rbc"},
                  {"name", "stranger"},
                  {"summary", "for a test"},
                  {"authors", {"a stranger"}}};
    manifest.update(first);
    manifest.update(others);
    std::ofstream(folder_->path() / "program.json") << manifest;
  }

  /// One compilation is enough.
  static const std::filesystem::path& built() {
    static const TemporaryFolder folder;
    return folder.path();
  }

  std::unique_ptr<TemporaryFolder> folder_ = std::make_unique<TemporaryFolder>();
};

std::string why(const json& record) {
  const json& reason = record.at("reason");
  if (reason.is_null()) return "";
  return reason.at("clause").get<std::string>() +
         (reason.at("detail").is_null() ? "" : " (" + reason["detail"].get<std::string>() + ")");
}

void expect_right(const json& record) {
  EXPECT_THAT(record.at("status"), AnyOf("measured", "noisy")) << why(record);
}

TEST(ExistingProgram, IsCertifiedAndItsOwnTimesAreKeptApart) {
  const json record = Stranger("good").run();
  expect_right(record);
  EXPECT_EQ(record.at("case").at("origin"), "yours");
  const json& sample = record.at("samples").at(0);
  const json& theirs = sample.at("around").at("their_solution");
  EXPECT_EQ(theirs.size(), 1 + sample.at("solutions").size());
  EXPECT_LT(theirs.at(0), sample.at("first_solution")) << "our clock has its whole process";
  EXPECT_EQ(record.at("outcome").at("figures").at("their_solution_seconds"), theirs.at(0));
  EXPECT_GT(record["outcome"].at("iterations"), 100);
  EXPECT_THAT(record["outcome"].at("notes").at("assumed").get<std::string>(),
              HasSubstr("converged 1: program.json says so"));
}

TEST(ExistingProgram, WritesRawNumbersInAnotherOrder) {
  const auto value = [](const json& order) -> json {
    return {{"V",
             {{"file", "value.bin"},
              {"format", "float64"},
              {"shape", {"nz", "nk"}},
              {"order", order}}}};
  };
  expect_right(Stranger("good", value({"nk", "nz"})).run());
  const json record = Stranger("good", value({"nz", "nk"})).run();
  EXPECT_EQ(record.at("status"), "invalid");
  EXPECT_THAT(why(record), HasSubstr("residual"));
}

TEST(ExistingProgram, IsToldThatItPrintsTooFewDigits) {
  const json record = Stranger("ten").run();
  EXPECT_EQ(record.at("status"), "invalid");
  EXPECT_THAT(why(record),
              AllOf(HasSubstr("; 10 digits leave a residual of "), HasSubstr(": print 17")));
}

TEST(ExistingProgram, PrintsWholeNumbersWithAllTheirDigits) {
  const json choices{{"file", "policy.txt"}, {"shape", {"nz", "nk"}}, {"order", {"nk", "nz"}}};
  EXPECT_THAT(why(Stranger("ten_from_0", {{"policy", choices}}).run()),
              HasSubstr("; 10 digits leave a residual of "));
}

TEST(ExistingProgram, InPythonPrintsCapitals) {
  if (!can_be_started("python3")) GTEST_SKIP() << "python3 is not installed";
  const json record = Stranger::python().run();
  expect_right(record);
  EXPECT_EQ(record.at("case").at("origin"), "original");
  EXPECT_FALSE(record.at("samples").at(0).at("around").at("their_set_up").empty());
}

TEST(ExistingProgram, FailsWithOneSentence) {
  const json nothing = json::object();
  const json parameters{{"parameters", {{"in.txt", {"1", "{rho}"}}}}};
  const std::map<std::string, std::string> sentences{
      {"fails", "solve ended with exit code 3: the matrix is singular"},
      {"silent", "its output has no 'Solution time: ', after which a number is expected"},
      {"writes_nothing", "value.txt: No such file or directory, where its result is expected"},
      {"truncated", "value.txt has 127 numbers, 4 x 32 are needed"},
      {"word", "value.txt has 'segfault' at line 7, where a number is expected"}};
  for (const auto& [mode, sentence] : sentences) {
    const json record = Stranger(mode).run();
    EXPECT_EQ(record.at("status"), "failed") << mode;
    EXPECT_THAT(why(record), HasSubstr(sentence));
  }
  const auto with_result = [](const std::string& name, const json& place) {
    return why(Stranger("good", {{name, place}}).run());
  };
  EXPECT_THAT(with_result("V", {{"file", "value.bin"}, {"format", "float32"}, {"shape", {128}}}),
              HasSubstr("value.bin has 1024 bytes after the first 0, 128 numbers of 4 are needed"));
  EXPECT_THAT(with_result("V", {{"file", "value.txt"}, {"shape", {"nx"}}}),
              HasSubstr("the shape has 'nx', which is no whole number of the problem"));
  EXPECT_THAT(with_result("V", 1), HasSubstr("it did not write V"));
}

TEST(ExistingProgram, ThatReadsWhatAProblemDoesNotHaveIsToldSo) {
  Stranger program("good", json::object(),
                   {{"existing",
                     {{"parameters", {{"in.txt", {"{nk}", "{no_such_number}"}}}},
                      {"run", {"true"}},
                      {"result", {{"converged", 1}}}}},
                    {"setup", json::array()}});
  const json record = program.run();
  EXPECT_EQ(record.at("status"), "failed");
  EXPECT_THAT(why(record), HasSubstr("in.txt at line 2: unknown name 'no_such_number'"));
}

TEST(ExistingProgram, PassesCheckProgram) {
  Stranger program("good");
  const EnvironmentScope builds("MACROBENCH_PROGRAMS_BUILD", program.folder() + "/.build");
  EXPECT_THAT(macrobench("check-program '" + program.folder() + "'"),
              Answers(0, AllOf(HasSubstr("right  it refuses to solve what it did not load"),
                               HasSubstr("declined  it survives a problem that makes no sense"),
                               HasSubstr("; their_solution_seconds "),
                               HasSubstr("are right; 1 declined."))));
}

TEST(ExistingProgram, IsDescribedWithoutMistakes) {
  const auto existing = [](const json& change) -> json {
    json made{{"run", {"true"}}, {"result", {{"converged", 1}}}};
    made.update(change);
    return {{"existing", made}, {"setup", json::array()}};
  };
  const auto place = [&](const json& its) { return existing({{"result", {{"V", its}}}}); };
  const std::map<std::string, json> others{
      {"/command: a program has a 'command' or is 'existing'", {{"command", {"true"}}}},
      {"/existing/run", existing({{"run", json::array()}})},
      {"/existing/times: unknown field 'total'", existing({{"times", {{"total", "t"}}}})},
      {"/existing/parameters/../../x: '../../x' is no file in the folder that it runs in",
       existing({{"parameters", {{"../../x", {"1"}}}}})},
      {"/existing/parameters/x: in.txt: No such file",
       existing({{"parameters", {{"x", "in.txt"}}}})},
      {"/existing/result/V/format: unknown format 'flot64'; the nearest is 'float64'",
       place({{"file", "v"}, {"format", "flot64"}})},
      {"/existing/result/V/order: it must have the extents of 'shape'",
       place({{"shape", {"nz", "nk"}}, {"order", {"nk", "nk"}}})},
      {"write \"origin\": \"original\", or nothing", {{"origin", "published"}}},
      {"at /of_a_paper: a program from outside", {{"of_a_paper", true}}}};
  for (const auto& [says, change] : others) {
    const Stranger program("good", json::object(), change);
    EXPECT_THAT(macrobench("check-program '" + program.folder() + "'"), Answers(2, HasSubstr(says)))
        << says;
  }
}

TEST(Origins, OfProgramsFromOutsideAreShownApart) {
  const TemporaryFolder results;
  const std::string where = " --results " + results.path().string();
  Stranger mine("good");
  expect_right(mine.run("--nk 128" + where));
  const auto folder = std::filesystem::directory_iterator(results.path())->path();
  const Answer times = mine.command("times --results " + folder.string());
  EXPECT_THAT(times, Answers(0, AllOf(HasSubstr("Your programs"), Not(HasSubstr("Originals")),
                                      Not(HasSubstr("Programs of today")))));
  const Answer table = mine.command("tables aldrich_2014/table_2 --results " + folder.string());
  EXPECT_THAT(table, Answers(0, AllOf(HasSubstr("Your programs"), HasSubstr("stranger"),
                                      Not(HasSubstr("Programs of today")))));
  EXPECT_THAT(mine.command("list rbc").output, HasSubstr("yours"));
}

}  // namespace
}  // namespace macrobench
