#include "paper_tables/scaling/scaling_render.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/text/csv.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/floors/ceilings.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.3g}%", 100 * *share) : "";
}

std::string seconds(const std::optional<double>& value) {
  return value ? format_duration(*value) : "";
}

/// Empty if one of the times is not known.
std::string speed_up(double numerator, double denominator) {
  return numerator > 0 && denominator > 0 ? fmt::format("{:.3g}", numerator / denominator) : "";
}

/// "+1.2%": of the model, where it was not made to meet every point.
std::string error_of(const StrongScaling& strong, const ScalingPoint& point) {
  if (!point.predicted || !strong.model || strong.model->counts < 3) return "";
  return fmt::format("{:+.1f}%", 100 * (*point.predicted / point.seconds - 1));
}

std::string count_of(const ScalingPoint& point) {
  return std::to_string(point.count) + (point.is_crowded ? ", crowded" : "");
}

/// A measured point, or the model's word for one.
Row row_of(const StrongScaling& strong, const ScalingPoint& point, bool is_model) {
  const double taken = is_model ? point.predicted.value_or(0) : point.seconds;
  const double one = strong.one.value_or(0);
  return {{count_of(point), is_model ? "" : seconds(taken), speed_up(one, taken),
           speed_up(strong.best_seconds, taken), one > 0 ? percent(one / taken / point.count) : "",
           percent(point.of_floor), percent(point.exchange_share()),
           point.bus ? rate(*point.bus, "B/s") : "", percent(point.of_link),
           seconds(point.predicted), is_model ? "the model's word" : error_of(strong, point)},
          is_model ? "extrapolated" : "measured"};
}

std::string name_of(const std::string& implementation, const std::string& problem) {
  return problem.empty() ? implementation : implementation + " " + problem;
}

Grid grid_of(const StrongScaling& strong) {
  std::vector<Row> rows;
  for (const ScalingPoint& point : strong.points) rows.push_back(row_of(strong, point, false));
  for (const ScalingPoint& point : strong.predictions) rows.push_back(row_of(strong, point, true));
  const std::string over = "over " + (strong.best.empty() ? "the best" : strong.best);
  return grid_of(
      columns_of({}, {strong.axis, "solution", "speed-up", over, "efficiency", "of floor",
                      "exchange", "bus", "of link", "model", "model's error"}),
      std::move(rows), "Strong scaling: " + name_of(strong.implementation, strong.problem));
}

Grid grid_of(const WeakScaling& weak) {
  const auto row = [&](const ScalingPoint& point) {
    return Row{
        {count_of(point), point.size, seconds(point.seconds), percent(weak.efficiency(point)),
         percent(point.of_floor), percent(point.exchange_share())},
        "measured"};
  };
  return grid_of({{weak.axis}, {"size"}, {"solution"}, {"efficiency"}, {"of floor"}, {"exchange"}},
                 each(weak.points, row),
                 fmt::format("Weak scaling from {}: {}", weak.points.front().size,
                             name_of(weak.implementation, weak.problem)));
}

/// "Fitted: 1.2 ms + 5.3 s / p of computation, 3 us log2 p + 10 us (p - 1) / p of exchange."
std::string words_of(const AlphaBeta& model) {
  std::string words = fmt::format("The model: {} + {} / p of computation",
                                  format_duration(model.serial), format_duration(model.divided));
  if (model.alpha > 0 || model.beta > 0) {
    words += fmt::format(", {} log2 p + {} (p - 1) / p of exchange", format_duration(model.alpha),
                         format_duration(model.beta));
  }
  return words + (model.counts < 3 ? ", from two counts: its error is not known."
                                   : fmt::format(", from {} counts.", model.counts));
}

ordered_json json_of(const ScalingPoint& point) {
  return {{"count", point.count},
          {"status", point.seconds > 0 ? "measured" : "extrapolated"},
          {"seconds", point.seconds > 0 ? ordered_json(point.seconds) : ordered_json()},
          {"exchange", or_null(point.exchange)},
          {"of_floor", or_null(point.of_floor)},
          {"bus", or_null(point.bus)},
          {"of_link", or_null(point.of_link)},
          {"model", or_null(point.predicted)},
          {"crowded", point.is_crowded}};
}

}  // namespace

Document document_of(const Scaling& scaling, const std::string& machine, bool) {
  Document document{.title = "Scaling: " + machine};
  for (const StrongScaling& strong : scaling.strong) {
    document.body.emplace_back(grid_of(strong));
    if (strong.model) document.body.emplace_back(Paragraph{words_of(*strong.model)});
    if (!strong.drift.empty()) document.body.emplace_back(Paragraph{strong.drift});
  }
  for (const WeakScaling& weak : scaling.weak) {
    document.body.emplace_back(grid_of(weak));
    if (!weak.drift.empty()) document.body.emplace_back(Paragraph{weak.drift});
  }
  if (document.body.empty()) {
    document.body.emplace_back(
        Paragraph{"No case was measured on two numbers of GPUs, ranks or processes: `macrobench "
                  "sweep beliefs "
                  "--implementations mpi --T 22 --ranks 1..8` is one way to begin."});
    return document;
  }
  document.body.emplace_back(Paragraph{
      "Efficiency is the speed-up over the same code on one, over their number; in weak scaling "
      "it is the work per second of each over that of one. The exchange includes waiting for the "
      "slowest, except on GPUs, whose own clock times it. The bus is the bytes that each of them "
      "gets "
      "from the others, per second of the exchange; the link is what GPUs get from each other at "
      "their best (`macrobench sweep roofline --implementations cuda --ceiling exchange --gpus "
      "all`). The model is fitted to the measured counts that are not crowded, which have no "
      "more threads than the machine has cores; where nothing is measured, it is the model's word "
      "alone."});
  return document;
}

nlohmann::ordered_json to_json(const Scaling& scaling) {
  const auto strong = [](const StrongScaling& one) -> ordered_json {
    std::vector<ScalingPoint> points = one.points;
    points.insert(points.end(), one.predictions.begin(), one.predictions.end());
    ordered_json model = nullptr;
    if (one.model) {
      model = {{"serial", one.model->serial},
               {"divided", one.model->divided},
               {"alpha", one.model->alpha},
               {"beta", one.model->beta},
               {"counts", one.model->counts}};
    }
    return {{"implementation", one.implementation},
            {"problem", one.problem},
            {"axis", one.axis},
            {"one", or_null(one.one)},
            {"best", or_null(one.best)},
            {"best_seconds", one.best_seconds},
            {"model", std::move(model)},
            {"drift", or_null(one.drift)},
            {"points", each(points, json_of)}};
  };
  const auto weak = [](const WeakScaling& one) -> ordered_json {
    const auto json = [&](const ScalingPoint& point) {
      ordered_json its = json_of(point);
      its.erase("model");
      its["size"] = point.size;
      its["efficiency"] = one.efficiency(point);
      return its;
    };
    return {{"implementation", one.implementation},
            {"problem", one.problem},
            {"axis", one.axis},
            {"drift", or_null(one.drift)},
            {"points", each(one.points, json)}};
  };
  return {
      {"schema", 1}, {"strong", each(scaling.strong, strong)}, {"weak", each(scaling.weak, weak)}};
}

std::string to_csv(const Scaling& scaling) {
  ordered_json rows = ordered_json::array();
  const ordered_json all = to_json(scaling);
  for (const ordered_json& one : all["strong"]) {
    for (ordered_json row : one["points"]) {
      for (const char* name : {"implementation", "problem", "axis"}) row[name] = one[name];
      rows.push_back(std::move(row));
    }
  }
  return to_csv({"implementation", "problem", "axis", "count", "status", "seconds", "exchange",
                 "of_floor", "bus", "of_link", "model", "crowded"},
                rows);
}

}  // namespace macrobench
