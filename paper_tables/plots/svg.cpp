#include "paper_tables/plots/svg.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "harness/text/document.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/plots/plot.hpp"

namespace macrobench {

namespace {

constexpr double line_height = 17;

/// The variable of plot_style that has this hue. A gray is as far from the page's color as it is
/// from white on paper.
std::string colour_style(std::string_view colour) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> hues{
      {{okabe_ito::black, "black"},
       {okabe_ito::orange, "orange"},
       {okabe_ito::sky_blue, "sky-blue"},
       {okabe_ito::green, "green"},
       {okabe_ito::blue, "blue"},
       {okabe_ito::vermillion, "vermillion"},
       {okabe_ito::purple, "purple"}}};
  for (const auto& [known, name] : hues) {
    if (colour == known) return fmt::format("--c:var(--{})", name);
  }
  const std::string text(colour);
  const bool is_grey = text.size() == 7 && text.substr(1, 2) == text.substr(3, 2) &&
                       text.substr(1, 2) == text.substr(5, 2);
  if (!is_grey) return "--c:" + escape_html(colour);
  const auto light = static_cast<double>(std::strtol(text.substr(1, 2).c_str(), nullptr, 16));
  return fmt::format("--c:var(--ink);opacity:{:.2f}", 1 - light / 255);
}

/// Square, circle, two triangles, diamond.
std::string shape_of(int shape, double x, double y, double r) {
  switch (shape) {
    case 0:
      return fmt::format("M{0:.1f} {1:.1f}h{2:.1f}v{2:.1f}h-{2:.1f}z", x - 0.9 * r, y - 0.9 * r,
                         1.8 * r);
    case 2:
      return fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}h-{:.1f}z", x, y - 1.1 * r, 1.1 * r, 1.9 * r,
                         2.2 * r);
    case 3:
      return fmt::format("M{:.1f} {:.1f}l{:.1f} -{:.1f}h-{:.1f}z", x, y + 1.1 * r, 1.1 * r, 1.9 * r,
                         2.2 * r);
    case 4:
      return fmt::format("M{0:.1f} {1:.1f}l{2:.1f} {2:.1f}l-{2:.1f} {2:.1f}l-{2:.1f} -{2:.1f}z", x,
                         y - 1.2 * r, 1.2 * r);
    default:
      return fmt::format(
          "M{0:.1f} {1:.1f}a{2:.1f} {2:.1f} 0 1 0 {3:.1f} 0a{2:.1f} {2:.1f} 0 1 0 "
          "-{3:.1f} 0z",
          x - r, y, r, 2 * r);
  }
}

}  // namespace

void Svg::text(double x, double y, std::string_view words, std::string_view style) {
  fmt::format_to(std::back_inserter(elements_),
                 "<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, style,
                 escape_html(words));
}

double Svg::wrapped_text(double x, double y, std::string_view words, std::string_view style,
                         std::size_t wide) {
  double height = 0;
  const std::string lines = wrapped(words, wide, "");
  for (const std::string_view line : split(trim(lines), '\n')) {
    text(x, y + height, line, style);
    height += line_height;
  }
  return height;
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
  fmt::format_to(std::back_inserter(elements_),
                 "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" class=\"{}\"/>\n", x1, y1, x2, y2,
                 style);
}

void Svg::path(std::string_view d, std::string_view style, std::string_view colour) {
  fmt::format_to(std::back_inserter(elements_), "<path d=\"{}\" class=\"{}\" style=\"{}\"/>\n", d,
                 style, colour_style(colour));
}

void Svg::mark(double x, double y, int shape, bool is_open, std::string_view colour,
               std::string_view note, double size) {
  fmt::format_to(std::back_inserter(elements_), "<path d=\"{}\" class=\"mark{}\" style=\"{}\">",
                 shape_of(shape, x, y, size), is_open ? " open" : "", colour_style(colour));
  if (!note.empty()) elements_ += "<title>" + escape_html(note) + "</title>";
  elements_ += "</path>\n";
}

std::string Svg::element(double height, std::string_view name, std::string_view attributes,
                         std::string_view before) const {
  return fmt::format(
      "<svg{} class=\"plot\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n{}{}"
      "</svg>\n",
      attributes, width, height, escape_html(name), before, elements_);
}

std::string Svg::element(double height, std::string_view name) const {
  return element(height, name, "", "");
}

std::string Svg::file(double height, std::string_view name) const {
  return element(height, name,
                 fmt::format(" xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" "
                             "height=\"{:.0f}\"",
                             1.5 * width, 1.5 * height),
                 fmt::format("<style>\n{}</style>\n", plot_style));
}

}  // namespace macrobench
