#pragma once

// A program that exists already, in C++ or in Python, that solves rbc's problem and knows nothing
// of the contract: it reads and writes files of its own.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/files/temporary_folder.hpp"
#include "tests/environment_scope.hpp"
#include "tests/executable.hpp"
#include "tests/matchers.hpp"

namespace macrobench {

inline constexpr const char* in_cpp = R"(
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
inline constexpr const char* in_python = R"(
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
print("set-up %g" % (ready - begin))
print("solved in %g" % (time.time() - ready))
print(iterations)
print("VALUES")
for i in range(nk):
    print(*("%.16e" % V[j][i] for j in range(nz)))
print("CAPITALS")
for j in range(nz):
    print(*("%.10g" % K[k] for k in policy[j]))
)";

/// The program in C++, in the folder of a test.
class Stranger {
  using json = nlohmann::json;

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
    static_cast<void>(command("list programs --setup rbc/stranger"));
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

}  // namespace macrobench
