#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "harness/model/parameters.hpp"
#include "harness/numbers/cell.hpp"
#include "harness/text/document.hpp"

namespace macrobench {

// A view declares its columns once, and every format follows from them.

/// The fact that a row has in a column, or nothing.
using Datum = std::variant<std::monostate, bool, std::int64_t, double, std::string, Cell>;

/// The type of a column's data, in the order of a Datum; a model's parameter has any of the plain
/// ones.
enum class DatumType { none, boolean, integer, number, text, cell, parameter };

/// A datum for a reader.
struct Shown {
  Words words = {};
  Marks marks = {};      ///< their signs stand at the words, their notes below
  std::string why = {};  ///< why there is no number: below
  Words after = {};      ///< behind the signs
};

/// One column: in CSV and JSON, in a grid for a reader, or in both.
struct SheetColumn {
  std::string name = {};  ///< in CSV and JSON, where it never changes its meaning; or empty
  DatumType type = DatumType::none;
  std::string unit = {};              ///< "s"; empty for words, counts and pure numbers
  std::optional<Column> reader = {};  ///< in a grid; or none
};

struct Entry {
  Datum datum = {};
  Shown shown = {};
};

/// A row for each fact.
struct Sheet {
  std::string name;               ///< in JSON: "cases"
  Words caption = {};             ///< above its grid
  std::vector<std::string> keys;  ///< the columns that name a row
  bool names_axes = false;        ///< after its columns come parameters of models, by their names
  std::vector<SheetColumn> columns = {};
  std::vector<std::vector<Entry>> rows = {};
};

/// A column's name and unit.
struct DataName {
  DataName(const char* its_name, std::string its_unit = {})  // NOLINT(*-explicit-*)
      : name(its_name), unit(std::move(its_unit)) {}
  DataName(std::string its_name, std::string its_unit = {})  // NOLINT(*-explicit-*)
      : name(std::move(its_name)), unit(std::move(its_unit)) {}

  std::string name;
  std::string unit;
};

/// Of a number in "s" a duration, in "bytes" an amount of memory, else three digits. Of a truth
/// "yes" or nothing. Of a cell its value and marks; without a value, the word that says why.
Shown shown_of(const Datum& datum, const std::string& unit);

/// The times as "1.23×", with its marks; or only the reason why it has no value.
Shown times_shown(const Cell& ratio);

/// The one description of a sheet, from which every format follows. Its columns are in the order in
/// which they are declared.
template <class Row>
class SheetOf {
 public:
  SheetOf(std::string name, std::vector<std::string> keys, Words caption = {}) {
    sheet_.name = std::move(name);
    sheet_.keys = std::move(keys);
    sheet_.caption = std::move(caption);
  }

  /// In data alone. `get` is a member or a function of a row: a value, or an optional one. An empty
  /// text is none.
  template <class Get>
  SheetOf& data(DataName name, Get get) {
    add({.name = name.name, .type = type_of<Get>(), .unit = name.unit},
        [get](const Row& row) { return Entry{datum_of(std::invoke(get, row))}; });
    return *this;
  }

  /// In data, and as shown_of() has it for a reader.
  template <class Get>
  SheetOf& column(DataName name, Column reader, Get get) {
    add({.name = name.name, .type = type_of<Get>(), .unit = name.unit, .reader = std::move(reader)},
        [get, unit = name.unit](const Row& row) {
          Datum datum = datum_of(std::invoke(get, row));
          Shown shown = shown_of(datum, unit);
          return Entry{std::move(datum), std::move(shown)};
        });
    return *this;
  }

  /// In data, and in words of the view's for a reader: `show` is a function of a row.
  template <class Get, class Show>
  SheetOf& column(DataName name, Column reader, Get get, Show show) {
    add({.name = name.name, .type = type_of<Get>(), .unit = name.unit, .reader = std::move(reader)},
        [get, show](const Row& row) {
          return Entry{datum_of(std::invoke(get, row)), as_shown(show(row))};
        });
    return *this;
  }

  /// For a reader alone.
  template <class Show>
  SheetOf& reader(Column column, Show show) {
    add({.reader = std::move(column)},
        [show](const Row& row) { return Entry{{}, as_shown(std::invoke(show, row))}; });
    return *this;
  }

  /// A column for each of these axes, in data alone: `get` returns a row's Value of the name, or
  /// null.
  template <class Get>
  SheetOf& axes(const std::vector<std::string>& names, Get get) {
    sheet_.names_axes = true;
    for (const std::string& name : names) {
      add({.name = name, .type = DatumType::parameter}, [get, name](const Row& row) {
        const Value* value = get(row, name);
        if (value == nullptr) return Entry{};
        return Entry{std::visit([](const auto& its) { return datum_of(its); }, *value)};
      });
    }
    return *this;
  }

  template <class Rows>
  [[nodiscard]] Sheet of(const Rows& rows) const {
    Sheet sheet = sheet_;
    for (const Row& row : rows) {
      std::vector<Entry>& entries = sheet.rows.emplace_back();
      for (const auto& entry : entries_) entries.push_back(entry(row));
    }
    return sheet;
  }

 private:
  template <class Value>
  struct Inner {
    using Type = Value;
  };
  template <class Value>
  struct Inner<std::optional<Value>> {
    using Type = typename Inner<Value>::Type;
  };

  template <class Get>
  static constexpr DatumType type_of() {
    using Got = typename Inner<std::decay_t<std::invoke_result_t<Get, const Row&>>>::Type;
    if constexpr (std::is_same_v<Got, bool>) return DatumType::boolean;
    if constexpr (std::is_integral_v<Got>) return DatumType::integer;
    if constexpr (std::is_floating_point_v<Got>) return DatumType::number;
    if constexpr (std::is_same_v<Got, Cell>) return DatumType::cell;
    return DatumType::text;
  }

  template <class Value>
  static Datum datum_of(const std::optional<Value>& value) {
    return value ? datum_of(*value) : Datum{};
  }
  template <class Value>
  static Datum datum_of(const Value& value) {
    if constexpr (std::is_same_v<Value, bool> || std::is_same_v<Value, Cell>) {
      return value;
    } else if constexpr (std::is_integral_v<Value>) {
      return static_cast<std::int64_t>(value);
    } else if constexpr (std::is_floating_point_v<Value>) {
      return static_cast<double>(value);
    } else {
      std::string text(value);
      return text.empty() ? Datum{} : Datum(std::move(text));
    }
  }

  static Shown as_shown(Shown shown) { return shown; }
  static Shown as_shown(Words words) { return {std::move(words)}; }
  static Shown as_shown(std::string text) { return {Words(std::move(text))}; }
  static Shown as_shown(const char* text) { return {Words(text)}; }

  void add(SheetColumn column, std::function<Entry(const Row&)> entry) {
    sheet_.columns.push_back(std::move(column));
    entries_.push_back(std::move(entry));
  }

  Sheet sheet_;
  std::vector<std::function<Entry(const Row&)>> entries_;
};

/// Gets `then` of what `first` gets of a row, an optional one: nothing if that is nothing.
template <class First, class Then>
auto through(First first, Then then) {
  return [=](const auto& row) {
    const auto& its = std::invoke(first, row);
    using Got = std::decay_t<std::invoke_result_t<Then, decltype(*its)>>;
    return its ? std::optional<Got>(std::invoke(then, *its)) : std::nullopt;
  };
}

/// A row {outer, &one} for each of the list that `list` refers to in each outer row.
template <class Row, class Outers, class List>
std::vector<Row> rows_below(const Outers& outers, List list) {
  std::vector<Row> rows;
  for (const auto& outer : outers) {
    static_assert(std::is_lvalue_reference_v<decltype(std::invoke(list, outer))>);
    for (const auto& one : std::invoke(list, outer)) rows.push_back({outer, &one});
  }
  return rows;
}

/// What explains the numbers of a page: what each sign means there, and why others are missing.
class Notes {
 public:
  /// The words with the signs of their marks: ≈ before them, the others behind.
  Words marked(const Shown& shown);
  /// A line for each sign since the last call, and one for the reasons: they go directly below
  /// their grid.
  List list();

 private:
  /// What is said with a sign. What differs in figures alone is said once.
  struct Said {
    std::vector<std::string> notes = {};
    std::set<std::size_t> with_others = {};  ///< the notes to which others are like but for figures

    void add(const std::string& note);
    [[nodiscard]] std::string text() const;
  };

  std::map<Sign, Said> said_;
  Said why_not_;
};

/// The columns that have a reader, and the notes below them; nothing if there is no row.
std::vector<Block> blocks_of(const Sheet& sheet, Notes& notes);
std::vector<Block> blocks_of(const Sheet& sheet);
void append(std::vector<Block>& blocks, std::vector<Block> more);

/// A view's data are in the schema of this number: {schema, view, tables: {NAME: {keys, rows}}}. A
/// row is flat. A column x of cells has the value as x; x_low, x_high, x_unit, x_kind, x_n,
/// x_machine, x_compiler, x_marks and x_why say the rest.
inline constexpr int sheet_schema = 2;

/// The names of the sheet's members in CSV and JSON.
std::vector<std::string> member_names(const Sheet& sheet);

std::string to_csv(const Sheet& sheet);
nlohmann::ordered_json to_json(std::string_view view, const std::vector<Sheet>& sheets);
/// The JSON Schema of to_json(), of the sheets' columns alone.
nlohmann::ordered_json json_schema_of(std::string_view view, const std::vector<Sheet>& sheets);

}  // namespace macrobench
