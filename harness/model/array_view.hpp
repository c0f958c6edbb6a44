#pragma once

// A solution's arrays as numbers, whatever their types, to be compared with another solution's. A
// model whose solutions have choices from a grid says which, beside its Problem:
//
//   std::vector<double> choices_of(const Problem&, std::string_view array);
//
// It returns the grid's points, which rise; or nothing, if the array has no choices. An array of
// whole numbers has the indices of its choices, one of real numbers has the choices themselves.

#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/model/solution_arrays.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

/// An array of a solution, which must outlive it.
struct ArrayView {
  std::string name;
  Shape shape;  ///< of a value: none
  bool is_whole = false;
  std::string type;  ///< of a number, as NumPy writes it: "<f8"; of an element without: "|V16"
  /// The number at a place, of which there are count_of(shape); empty if its elements are more than
  /// numbers of one type, and can only be equal or not.
  std::function<double(std::size_t place)> number;
  std::string_view bytes;            ///< as they are in memory
  std::vector<double> choices = {};  ///< the grid of its choices; empty if it has none
};

namespace detail {

template <class T>
struct NumberIn {
  using Type = void;
};
template <class T>
  requires std::is_arithmetic_v<T>
struct NumberIn<T> {
  using Type = T;
};
template <class T>
  requires std::is_enum_v<T>
struct NumberIn<T> {
  using Type = std::underlying_type_t<T>;
};
template <class T>
  requires requires { typename T::Number; }
struct NumberIn<T> {
  using Type = typename T::Number;
};
template <class T>
  requires requires { typename T::Count; }
struct NumberIn<T> {
  using Type = typename T::Count;
};

/// "<f8", "<i4", "|u1", "|b1".
template <class Number>
std::string numpy_type() {
  const char kind = std::is_same_v<Number, bool>       ? 'b'
                    : std::is_floating_point_v<Number> ? 'f'
                    : std::is_signed_v<Number>         ? 'i'
                                                       : 'u';
  return std::string(sizeof(Number) == 1 ? "|" : "<") + kind + std::to_string(sizeof(Number));
}

template <class Problem>
concept HasChoices = requires(const Problem& problem) { choices_of(problem, std::string_view()); };

template <class Problem>
class MakeViews {
 public:
  explicit MakeViews(const Problem& problem) : problem_(problem) {}

  template <class Element>
  void operator()(const char* name, const std::vector<Element>& array, Shape shape) {
    // A model may poison more than a solver keeps.
    const bool is_shorter = shape.size() == 1 && array.size() < count_of(shape);
    if (is_shorter) shape.front().count = array.size();
    if (array.size() != count_of(shape)) {
      throw UsageError("the solution has the wrong size: {} has {} elements, and {} are needed",
                       name, array.size(), count_of(shape));
    }
    add<Element>(name, bytes_of(array), std::move(shape));
  }
  template <class Element, std::size_t n>
  void operator()(const char* name, const Element (&array)[n]) {
    add<Element>(name, bytes_of(array), {{"number", n}});
  }
  template <class Value>
  void operator()(const char* name, const Value& value) {
    add<Value>(name, bytes_of(value), {});
  }

  std::vector<ArrayView> views;

 private:
  template <class Element>
  void add(const char* name, std::string_view bytes, Shape shape) {
    using Number = typename NumberIn<Element>::Type;
    if (bytes.empty()) return;
    ArrayView view{.name = name,
                   .shape = std::move(shape),
                   .type = "|V" + std::to_string(sizeof(Element)),
                   .number = {},
                   .bytes = bytes};
    if constexpr (!std::is_void_v<Number>) {
      if constexpr (sizeof(Element) > sizeof(Number)) {
        view.shape.push_back({"number", sizeof(Element) / sizeof(Number)});
      }
      view.is_whole = std::is_integral_v<Number>;
      view.type = numpy_type<Number>();
      view.number = [begin = bytes.data()](std::size_t place) {
        Number number;
        std::memcpy(&number, begin + place * sizeof number, sizeof number);
        return static_cast<double>(number);
      };
      if constexpr (HasChoices<Problem>) view.choices = choices_of(problem_, name);
    }
    views.push_back(std::move(view));
  }

  const Problem& problem_;
};

}  // namespace detail

/// All arrays that have elements, in their order. One of a single index may be shorter than its
/// shape says. Throws UsageError if another one does not have the size of its shape.
template <class Problem, class Solution>
std::vector<ArrayView> views_of(const Problem& problem, const Solution& solution) {
  detail::MakeViews<Problem> make(problem);
  Solution::each_array(problem, solution, make);
  return std::move(make.views);
}

}  // namespace macrobench
