#include "harness/machine/energy.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

/// Thirty thousand years, and a large power station for as long.
constexpr double most_seconds = 1e12;
constexpr double most = 1e21;

std::optional<double> number_or_none(const JsonCursor& cursor) {
  if (cursor.is_null()) return std::nullopt;
  return cursor.number_within(0, most);
}

}  // namespace

nlohmann::ordered_json to_json(const Energy& energy) {
  return {{"joules_per_solution", or_null(energy.joules_per_solution)},
          {"why_not", or_null(energy.why_not)},
          {"method", or_null(energy.method)},
          {"window_seconds", energy.window_seconds},
          {"solving_seconds", energy.solving_seconds},
          {"solutions", energy.solutions},
          {"idle_seconds", energy.idle_seconds},
          {"idle_watts", or_null(energy.idle_watts)}};
}

Energy energy_at(const JsonCursor& cursor) {
  return {.joules_per_solution = number_or_none(cursor.at("joules_per_solution")),
          .why_not = cursor.at("why_not").text_or_null(),
          .method = cursor.at("method").text_or_null(),
          .window_seconds = cursor.at("window_seconds").number_within(0, most_seconds),
          .solving_seconds = cursor.at("solving_seconds").number_within(0, most_seconds),
          .solutions = static_cast<int>(
              cursor.at("solutions").number_within(0, std::numeric_limits<int>::max())),
          .idle_seconds = cursor.at("idle_seconds").number_within(0, most_seconds),
          .idle_watts = number_or_none(cursor.at("idle_watts"))};
}

}  // namespace macrobench
