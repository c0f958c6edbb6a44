#pragma once

// What a program from outside is told of a model's problem.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <variant>

#include "harness/files/temporary_folder.hpp"
#include "harness/model/registry.hpp"
#include "harness/programs/program_models.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {

/// The lines of problem.txt, by their first word.
inline std::map<std::string, std::string> problem_text(const std::string& model,
                                                       const Parameters& given) {
  const TemporaryFolder folder;
  find_program_model(model).data(given).write_to(folder.path());
  std::ifstream file(folder.path() / "problem.txt");
  std::map<std::string, std::string> lines;
  for (std::string name, rest; file >> name && std::getline(file >> std::ws, rest);) {
    EXPECT_TRUE(lines.emplace(name, rest).second) << name << " is there twice";
  }
  return lines;
}

/// That problem.txt has every parameter of a case, whatever its value is, bit for bit. A name may
/// be a number there, which programs/MODEL/README.md explains.
inline void expect_every_parameter_in_problem(const std::string& model,
                                              const std::map<std::string, std::string>& numbers) {
  Parameters given;
  for (const Axis& axis : Registry::global().model(model).axes) {
    Value value = axis.default_value;
    if (auto* real = std::get_if<double>(&value)) {
      const double beside = *real * (1 - 1e-7 / 3);
      if (axis.interval.contains(beside)) *real = beside;
    }
    given.set(axis.name, value);
  }
  const auto lines = problem_text(model, given);
  std::ifstream page(source_folder() + "/programs/" + model + "/README.md");
  const std::string words{std::istreambuf_iterator<char>(page), {}};
  for (const Axis& axis : Registry::global().model(model).axes) {
    const auto line = lines.find(axis.name);
    EXPECT_EQ(line == lines.end(), axis.is_file) << axis.name;
    if (line == lines.end()) continue;
    // Every program must read what check-program varies.
    if (!axis.optional && !axis.choices.empty() && axis.name != "real") {
      EXPECT_THAT(words, HasSubstr("`" + axis.name)) << "programs/" << model << "/README.md";
    }
    const Value& value = *given.find(axis.name);
    const auto number = numbers.find(axis.name);
    const auto* real = std::get_if<double>(&value);
    EXPECT_EQ(line->second, number != numbers.end() ? number->second
                            : real != nullptr       ? fmt::format("{:.17g}", *real)
                                                    : to_string(value))
        << axis.name;
  }
}

}  // namespace macrobench
