#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/model/input_file.hpp"

namespace macrobench {

/// A parameter's value: a whole number, a real number or a name. A file's is "PATH@DIGEST", or
/// empty if there is none.
using Value = std::variant<std::int64_t, double, std::string>;

/// The shortest text that reads back as the same value: "65536", "1.6e-10", "bisection".
std::string to_string(const Value& value);

/// The numbers an axis allows.
struct Interval {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool lowest_allowed = true;
  bool highest_allowed = true;

  [[nodiscard]] bool contains(double x) const;
  [[nodiscard]] std::string describe() const;  ///< "from 2 to 4194304", "above 0 and below 1"
};

/// One direction in which cases differ: a size, a precision, a calibrated parameter.
struct Axis {
  std::string name;
  std::string help;                       ///< one line, with the unit
  Value default_value;                    ///< its alternative is the axis's type
  Interval interval = {};                 ///< numbers only
  std::vector<std::string> choices = {};  ///< names only: all that are allowed
  bool headline = false;      ///< in every key; other axes only if they differ from the default
  bool in_every_key = false;  ///< as a headline is, though it says nothing of the problem
  bool counts_cores = false;  ///< whole numbers; "all" means every core of the machine
  int (*all)() = nullptr;     ///< whole numbers that count no cores; what "all" means, if anything
  bool is_file = false;       ///< names only: a user's file, to be read; empty for none
  /// Of a file; a larger one is refused before it is read.
  std::uintmax_t most_bytes = std::uintmax_t{1} << 30;
  bool optional = false;  ///< only the implementations that name it have it
  /// What those that lack it do; none: its default.
  std::optional<Value> lacking = {};
  /// What our implementations do that lack it; none: as others that do.
  std::optional<Value> of_ours = {};
  /// Printed after the interval if a number is outside it: why, or what to do. May be empty.
  std::string otherwise = {};
  /// Of an implementation's axis: what its cases have where nobody gives a value; none: the
  /// default. Keys say it, because they leave out the default alone.
  std::optional<Value> own_default = {};

  /// The value of a case where nobody gives one.
  [[nodiscard]] const Value& usual() const { return own_default ? *own_default : default_value; }
  [[nodiscard]] const Value& if_lacking() const { return lacking ? *lacking : default_value; }
};

/// Named values in the order of their axes.
class Parameters {
 public:
  Parameters() = default;
  Parameters(std::initializer_list<std::pair<std::string, Value>> values);

  /// Adds the value, or replaces the one with that name.
  void set(std::string_view name, Value value);
  /// All but those of these names.
  [[nodiscard]] Parameters without(const std::vector<std::string>& names) const;

  [[nodiscard]] const Value* find(std::string_view name) const;  ///< null if there is none
  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] double real(std::string_view name) const;
  [[nodiscard]] const std::string& name(std::string_view name) const;

  [[nodiscard]] auto begin() const { return values_.begin(); }
  [[nodiscard]] auto end() const { return values_.end(); }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  bool operator==(const Parameters&) const = default;

 private:
  std::vector<std::pair<std::string, Value>> values_;
};

/// Whether a case is in single precision, as its axis `real` says; without one it is in double.
bool is_single(const Parameters& parameters);

/// How many economies a case solves in one call, as its axis `economies` says; without one, 1.
std::int64_t economies_of(const Parameters& parameters);

/// Whether the axis allows this value of its type.
bool allows(const Axis& axis, const Value& value);

/// Reads a value as the axis's type and checks it against what the axis allows. `cores` is the
/// meaning of "all". A file is read. Throws UsageError with one sentence that names the axis.
Value parse_value(const Axis& axis, std::string_view text, int cores);

/// The same check for a value that already has a type (from JSON, for example).
Value check_value(const Axis& axis, const Value& value, int cores);

/// Reads the argument of --axis in a sweep: a value, a list "a,b,c", "128..65536" (doubling, both
/// ends included) or "100..500:100" (steps). A file is not swept: the text is its path. Throws
/// UsageError.
std::vector<Value> parse_values(const Axis& axis, std::string_view text, int cores);

/// The axis of that name; throws UsageError with the nearest one if there is none.
const Axis& find_axis(const std::vector<Axis>& axes, std::string_view name);

/// Every axis with its given value or its usual one, in the axes' order. Throws UsageError for a
/// name that is not an axis or a value that is not allowed.
Parameters complete(const std::vector<Axis>& axes, const Parameters& given, int cores);

}  // namespace macrobench
