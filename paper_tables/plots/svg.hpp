#pragma once

#include <string>
#include <string_view>

namespace macrobench {

/// The elements of a drawing, one after the other. All text in it is escaped.
class Svg {
 public:
  static constexpr double width = 480;  ///< on a telephone its text is still large enough to read
  static constexpr std::size_t columns = 56;  ///< of text, beside each other

  void text(double x, double y, std::string_view words, std::string_view style = "");
  /// Lines of at most so many columns; returns their height.
  double wrapped_text(double x, double y, std::string_view words, std::string_view style = "",
                      std::size_t wide = columns);
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  /// A path; `colour` is that of a PlotLine.
  void path(std::string_view d, std::string_view style, std::string_view colour);
  /// One of five shapes; `note` is what is said of it, or empty.
  void mark(double x, double y, int shape, bool is_open, std::string_view colour,
            std::string_view note = "", double size = 4);

  /// The element, for a page whose style has plot_style; `name` is for those who cannot see it.
  [[nodiscard]] std::string element(double height, std::string_view name) const;
  /// The same as a file of its own.
  [[nodiscard]] std::string file(double height, std::string_view name) const;

 private:
  [[nodiscard]] std::string element(double height, std::string_view name,
                                    std::string_view attributes, std::string_view before) const;

  std::string elements_;
};

}  // namespace macrobench
