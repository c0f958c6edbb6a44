#include "harness/programs/existing_program.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/files/whole_file.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

std::string text_at(const JsonCursor& cursor) {
  const std::string text = cursor.text();
  if (text.empty()) cursor.fail("it must not be empty");
  return text;
}

/// The file is in the folder that it runs in, below it, or beside it: "../parameters.txt".
void check_file(const JsonCursor& cursor, const std::string& name) {
  fs::path path = fs::path(name).lexically_normal();
  if (*path.begin() == "..") path = path.lexically_relative("..");
  if (name.empty() || path.is_absolute() || !path.has_filename() || *path.begin() == "..") {
    cursor.fail("'{}' is not a file in the folder that it runs in; '../' at most leads out of it",
                shown(name));
  }
}

/// The name of a file in the program's folder, or its lines.
std::string template_at(const JsonCursor& cursor, const fs::path& folder) {
  if (!cursor.is_list()) {
    const std::string name = text_at(cursor);
    try {
      return read_whole(folder / name);
    } catch (const std::system_error& error) {
      cursor.fail("{}: {}", shown(name), error.code().message());
    }
  }
  std::string text;
  for (const JsonCursor& line : cursor.items()) text += line.text() + "\n";
  return text;
}

std::string extent_at(const JsonCursor& cursor) {
  return cursor.is_number() ? std::to_string(cursor.count()) : text_at(cursor);
}

ResultPlace place_at(const JsonCursor& cursor) {
  if (cursor.is_number()) return {.constant = cursor.number()};
  if (cursor.is_text()) return {.after = text_at(cursor)};
  cursor.allow({"file", "after", "format", "skip", "shape", "order", "first", "among"});
  ResultPlace place;
  if (cursor.has("file")) {
    place.file = cursor.at("file").text();
    check_file(cursor.at("file"), place.file);
  }
  if (cursor.has("after")) place.after = text_at(cursor.at("after"));
  if (cursor.has("format")) {
    place.format = cursor.at("format").text();
    std::vector<std::string> known{"text"};
    for (const auto& [name, bytes] : binary_formats()) known.push_back(name);
    if (std::ranges::count(known, place.format) == 0) {
      cursor.at("format").fail(unknown_name("format", place.format, known));
    }
  }
  if (place.format != "text" && (place.file.empty() || !place.after.empty())) {
    cursor.fail("numbers that are not text are in a file, and 'skip' says where");
  }
  if (cursor.has("skip")) place.skip = static_cast<std::size_t>(cursor.at("skip").at_least_0());
  if (cursor.has("shape")) place.shape = cursor.at("shape").list_of(extent_at);
  place.order = cursor.has("order") ? cursor.at("order").list_of(extent_at) : place.shape;
  if (!std::ranges::is_permutation(place.order, place.shape)) {
    cursor.at("order").fail("it must have the extents of 'shape', in the order of the file");
  }
  if (cursor.has("first")) place.first = cursor.at("first").whole();
  if (cursor.has("among")) place.among = text_at(cursor.at("among"));
  return place;
}

}  // namespace

const std::map<std::string, std::size_t>& binary_formats() {
  static const std::map<std::string, std::size_t> all{
      {"float64", 8}, {"float32", 4}, {"int64", 8}, {"int32", 4}, {"uint8", 1}};
  return all;
}

ExistingProgram existing_program_at(const JsonCursor& cursor, const fs::path& folder) {
  cursor.allow({"parameters", "run", "result", "times"});
  ExistingProgram made;
  if (cursor.has("parameters")) {
    cursor.at("parameters").each_member([&](const std::string& name, const JsonCursor& its) {
      check_file(its, name);
      made.parameters[name] = template_at(its, folder);
    });
  }
  made.run = cursor.at("run").list_of(text_at);
  if (made.run.empty()) cursor.at("run").fail("it must name an executable");
  made.result = cursor.at("result").map_of(place_at);
  if (cursor.has("times")) {
    const JsonCursor times = cursor.at("times");
    times.allow({"solution", "set_up"});
    made.times = times.map_of(place_at);
  }
  return made;
}

}  // namespace macrobench
