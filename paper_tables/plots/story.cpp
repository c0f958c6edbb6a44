#include "paper_tables/plots/story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/plots/plot.hpp"
#include "paper_tables/plots/svg.hpp"

namespace macrobench {

namespace {

/// "62 times faster", "1.3 times slower".
std::string faster(double before, double after) {
  return before >= after ? format_number(before / after) + " times faster"
                         : format_number(after / before) + " times slower";
}

std::string times(const std::optional<double>& before, const std::optional<double>& after) {
  if (!before || !after) return "–";
  return format_number(*before / *after) + "×";
}

/// Marked where it is of several campaigns, which the notes explain.
Words joined(const std::string& ratio, const Story& story) {
  return story.drift.empty() ? Words(ratio) : ratio + mark("*");
}

std::string duration(const std::optional<double>& seconds) {
  return seconds ? format_duration(*seconds) : "–";
}

constexpr const char* best_program = "the best program that we know";

/// "1 µs", "10 ms", "1,000 s".
std::string seconds_text(int power) {
  const int unit = power < -3 ? -6 : power < 0 ? -3 : 0;
  const double number = std::pow(10.0, power - unit);
  return with_separators(number) + (unit == 0 ? " s" : unit == -3 ? " ms" : " µs");
}

/// Times of one problem on one machine, on a logarithmic axis.
struct Ladder {
  double low = 0, high = 1;  ///< powers of ten

  [[nodiscard]] double at(double seconds) const {
    return 12 + (std::log10(seconds) - low) / (high - low) * (Svg::width - 24);
  }
};

/// True if the picture has it: from its published time to the best one.
bool is_told(const Story& story) {
  return story.printed && story.best;
}

Ladder ladder_of(const std::vector<MachineStories>& machines) {
  Ladder ladder{.low = 1e9, .high = -1e9};
  for (const MachineStories& machine : machines) {
    for (const Story& story : machine.stories) {
      if (!is_told(story)) continue;
      for (const auto& seconds : {story.printed, story.here, story.best}) {
        if (!seconds) continue;
        ladder.low = std::min(ladder.low, std::floor(std::log10(*seconds)));
        ladder.high = std::max(ladder.high, std::ceil(std::log10(*seconds)));
      }
    }
  }
  return ladder;
}

constexpr const char* in_print_colour = okabe_ito::black;
constexpr const char* here_colour = okabe_ito::blue;
constexpr const char* best_colour = okabe_ito::vermillion;

}  // namespace

Words verdict_of(const Story& story) {
  if (!story.printed) {
    if (!story.here) return "Its paper prints no times, and none was measured.";
    const std::string here = fmt::format("Its paper prints no times. At {} {} takes {} as measured",
                                         story.size, story.program, format_duration(*story.here));
    if (!story.best) return here + ".";
    const std::string drift =
        story.drift.empty() ? "" : fmt::format(" (a ratio that {})", story.drift);
    return fmt::format("{}; {} takes {}, ", here, story.frontier, format_duration(*story.best)) +
           strong(faster(*story.here, *story.best)) + drift + ".";
  }
  const std::string in_print = fmt::format("At {} the paper’s {} took {} in print", story.size,
                                           story.program, format_duration(*story.printed));
  const auto best = [&](double before) {
    return strong(faster(before, *story.best)) +
           fmt::format(" ({} takes {})", best_program, format_duration(*story.best));
  };
  if (story.here && story.best) {
    const char* again = *story.here < *story.printed ? " again" : "";
    const std::string drift =
        story.drift.empty() ? "" : fmt::format(" (a ratio that {})", story.drift);
    return fmt::format("{} and takes {} as measured, ", in_print, format_duration(*story.here)) +
           strong(faster(*story.printed, *story.here)) +
           fmt::format("; {} takes {}, ", best_program, format_duration(*story.best)) +
           strong(faster(*story.here, *story.best) + again) + drift + ".";
  }
  if (story.best) {
    return in_print + ", and was not measured; today’s program is " + best(*story.printed) + ".";
  }
  if (story.here) {
    return fmt::format("{} and takes {} as measured, ", in_print, format_duration(*story.here)) +
           strong(faster(*story.printed, *story.here)) +
           fmt::format("; {} was not measured.", best_program);
  }
  return in_print + "; nothing of it was measured.";
}

std::string front_table(const std::vector<Story>& stories) {
  using enum Column::Kind;
  std::vector<Row> rows;
  List notes{.items = {}, .style = List::Style::notes};
  for (const Story& story : stories) {
    if (!story.printed && !story.here && !story.best) continue;
    rows.push_back(
        {{story.model, story.size, story.program, duration(story.printed), duration(story.here),
          times(story.printed, story.here), duration(story.best),
          joined(times(story.here, story.best), story), times(story.printed, story.best)}});
    if (!story.printed) continue;
    notes.items.push_back({fmt::format(
        "{}: {}, {}; the best program is {}.{}", story.model, story.table, story.hardware,
        story.frontier.empty() ? "not measured" : story.frontier,
        story.drift.empty() ? "" : " *The ratio of the two measured times " + story.drift + ".")});
  }
  Grid grid = grid_of({{"model", words},
                       {"size", words},
                       {"the paper’s program", words},
                       {"in print"},
                       {"measured"},
                       {"faster"},
                       {"best program"},
                       {"faster again"},
                       {"in all"}},
                      std::move(rows),
                      "The paper’s fastest program that was measured, at the largest size with all "
                      "three times; its first one where it prints none");
  return to_html({.body = {std::move(grid)}}, 3) +
         "<details><summary>What was run, and where it was published</summary>\n" +
         to_html({.body = {std::move(notes)}}, 3) + "</details>\n";
}

namespace {

/// What the marks of the picture mean, in one line.
void draw_key(Svg& svg, double y) {
  double x = 8;
  const auto key = [&](const char* text, int shape, bool is_open, const char* colour) {
    svg.mark(x + 6, y + 12, shape, is_open, colour, "");
    svg.text(x + 16, y + 16.5, text, "dim");
    x += 36 + 7 * static_cast<double>(display_width(text));
  };
  key("in print", 1, true, in_print_colour);
  key("the paper’s program, measured", 0, false, here_colour);
  key("the best program, measured", 4, false, best_colour);
}

/// A story as the picture has it.
struct Drawn {
  double y;
  const MachineStories* machine;
  const Story* story;
};

void draw(Svg& svg, const Drawn& one, const Ladder& ladder) {
  const auto& [at, machine, story] = one;
  const double printed = known_value(story->printed);
  const double best = known_value(story->best);
  const std::string by = story->frontier.empty() ? "" : ": " + story->frontier;
  svg.text(8, at - 13, fmt::format("{}, {}{}", machine->machine, story->size, by), "dim");
  svg.text(Svg::width - 8, at - 13, format_number(printed / best) + "×", "end strong");
  svg.path(fmt::format("M{:.1f} {:.1f}H{:.1f}", ladder.at(best), at, ladder.at(printed)), "curve",
           okabe_ito::black);
  svg.mark(ladder.at(printed), at, 1, true, in_print_colour,
           fmt::format("{} in print: {}", story->program, format_duration(printed)), 5);
  if (story->here) {
    svg.mark(ladder.at(*story->here), at, 0, false, here_colour,
             fmt::format("{} as measured: {}", story->program, format_duration(*story->here)), 5);
  }
  svg.mark(ladder.at(best), at, 4, false, best_colour,
           fmt::format("{} as measured: {}", story->frontier, format_duration(best)), 5);
}

/// What the best program of a model does less of, below its name; returns the height.
double draw_work(Svg& svg, double y, const std::vector<MachineStories>& machines,
                 const std::string& model) {
  for (const MachineStories& machine : machines) {
    for (const Story& story : machine.stories) {
      if (story.model == model && is_told(story) && !story.work.empty()) {
        return svg.wrapped_text(8, y, story.work, "dim", Svg::columns);
      }
    }
  }
  return 0;
}

}  // namespace

std::string picture_of(const std::vector<MachineStories>& machines, bool is_file) {
  constexpr double row_height = 44;
  const Ladder ladder = ladder_of(machines);
  std::vector<std::string> models;
  for (const MachineStories& machine : machines) {
    for (const Story& story : machine.stories) {
      const bool is_new = std::ranges::find(models, story.model) == models.end();
      if (is_told(story) && is_new) models.push_back(story.model);
    }
  }
  if (models.empty()) return "";
  Svg svg;
  double y = 8;
  y += svg.wrapped_text(8, y + 14, "From the published time to today’s best, on each machine",
                        "strong", 56);
  draw_key(svg, y);
  y += 30;
  std::vector<Drawn> drawn;
  for (const std::string& model : models) {
    y += 24;
    svg.text(8, y, model, "strong");
    y += 4 + draw_work(svg, y + 18, machines, model);
    for (const MachineStories& machine : machines) {
      for (const Story& story : machine.stories) {
        if (story.model != model || !is_told(story)) continue;
        y += row_height;
        drawn.push_back({y - 12, &machine, &story});
      }
    }
  }
  const double bottom = y + 8;
  const int step = ladder.high - ladder.low > 6 ? 2 : 1;
  for (int power = static_cast<int>(ladder.low); power <= static_cast<int>(ladder.high);
       power += step) {
    const double at = ladder.at(std::pow(10.0, power));
    for (const Drawn& one : drawn) svg.line(at, one.y - 8, at, one.y + 8, "grid");
    svg.text(std::clamp(at, 28.0, Svg::width - 34), bottom + 14, seconds_text(power), "dim middle");
  }
  for (const Drawn& one : drawn) draw(svg, one, ladder);
  const char* name = "Published times, and the same program and the best one on each machine";
  return is_file ? svg.file(bottom + 26, name) : svg.element(bottom + 26, name);
}

}  // namespace macrobench
