#include "harness/model/solution_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/files/digest.hpp"
#include "harness/files/npy.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/model/solution_file.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view what_it_is = "macrobench solution";
constexpr int schema = 2;
constexpr std::uintmax_t largest_json = std::uintmax_t{16} << 20;

ordered_json described(const std::string& name, const std::string& type, const Shape& shape,
                       const ArrayUnits& units) {
  ordered_json json{{"name", name}, {"type", type}, {"shape", counts_of(shape)}};
  json["axes"] = ordered_json::array();
  for (const Extent& along : shape) json["axes"].push_back(along.name);
  if (const auto unit = units.find(name); unit != units.end()) json["unit"] = unit->second;
  return json;
}

/// A number's value, which reads back as the same bits; words for what JSON has no number for.
template <class Number>
ordered_json value_of(std::string_view bytes) {
  Number number;
  std::memcpy(&number, bytes.data(), sizeof number);
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  }
  return number;
}

template <class Number>
std::string bytes_from(const nlohmann::json& value) {
  Number number{};
  if constexpr (std::is_floating_point_v<Number>) {
    using Limits = std::numeric_limits<Number>;
    if (value == "nan") {
      number = Limits::quiet_NaN();
    } else if (value == "inf" || value == "-inf") {
      number = value == "inf" ? Limits::infinity() : -Limits::infinity();
    } else {
      number = value.get<Number>();
    }
  } else if constexpr (std::is_same_v<Number, bool>) {
    number = value.get<bool>();
  } else {
    number = value.get<Number>();
  }
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

/// How a number of one of NumPy's types is written and read.
struct NumberText {
  ordered_json (*write)(std::string_view bytes);
  std::string (*read)(const nlohmann::json& value);
};

template <class Number>
constexpr NumberText number_text{value_of<Number>, bytes_from<Number>};

const std::map<std::string, NumberText, std::less<>>& number_texts() {
  static const std::map<std::string, NumberText, std::less<>> all{
      {"|b1", number_text<bool>},          {"|u1", number_text<std::uint8_t>},
      {"|i1", number_text<std::int8_t>},   {"<i4", number_text<std::int32_t>},
      {"<u4", number_text<std::uint32_t>}, {"<i8", number_text<std::int64_t>},
      {"<u8", number_text<std::uint64_t>}, {"<f4", number_text<float>},
      {"<f8", number_text<double>}};
  return all;
}

/// "V.npy", and "V_2.npy" for the second V of a batch.
class FileNames {
 public:
  std::string of(const std::string& name) {
    const int count = ++counts_[name];
    return count == 1 ? name + ".npy" : fmt::format("{}_{}.npy", name, count);
  }

 private:
  std::map<std::string, int> counts_;
};

ordered_json write_given(const OutputFolder& folder, const std::vector<GivenArray>& arrays,
                         const ArrayUnits& units) {
  ordered_json all = ordered_json::array();
  for (const GivenArray& array : arrays) {
    ordered_json json = described(array.name, array.type, array.shape, units);
    const std::string file = fmt::format("problem_{}.npy", array.name);
    folder.write(file, npy_header(array.type, counts_of(array.shape)) + array.bytes);
    json["file"] = file;
    all.push_back(std::move(json));
  }
  return all;
}

/// A file of this name in a folder, and nowhere else.
bool is_plain(const std::string& name) {
  return !name.empty() && name.front() != '.' && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.';
  });
}

nlohmann::json parsed_solution(const fs::path& file) {
  nlohmann::json json = parsed(read_whole(file, largest_json));
  if (!json.is_object() || json.value("what", nlohmann::json()) != what_it_is) {
    throw UsageError("{} is not a solution that --out wrote", file.filename().string());
  }
  if (json.value("schema", nlohmann::json()) != schema) {
    throw UsageError("the solution is of another version of macrobench; this one reads schema {}",
                     schema);
  }
  return json;
}

/// The bytes of an array that solution.json names.
std::string bytes_of_array(const fs::path& folder, const nlohmann::json& array,
                           std::uintmax_t most) {
  const auto name = array.at("name").get<std::string>();
  if (array.contains("value")) {
    return number_texts().at(array.at("type").get<std::string>()).read(array.at("value"));
  }
  if (!array.contains("file")) return {};
  const auto file = array.at("file").get<std::string>();
  if (!is_plain(file)) throw UsageError("the solution's {} is in no file of its folder", name);
  const std::string content = read_whole(folder / file, most);
  if (sha256(content) != array.at("sha256").get<std::string>()) {
    throw UsageError("the solution's {} is not what {} says", name, solution_name);
  }
  return std::string(npy_array(file, content).data);
}

}  // namespace

void write_solution(const OutputFolder& folder, const SolutionContent& content,
                    const ordered_json& about) {
  ordered_json json{
      {"what", what_it_is}, {"schema", schema}, {"key", key_of_stored(content.stored)}};
  json.update(about);
  json["order"] = "C: the last axis runs fastest";
  json["arrays"] = ordered_json::array();
  FileNames files;
  auto view = content.arrays.begin();
  for (const StoredArray& array : arrays_of_stored(content.stored)) {
    const std::string name(array.name);
    if (array.bytes.empty()) {  // and has no view
      json["arrays"].push_back({{"name", name}, {"shape", {0}}, {"element", array.size}});
      continue;
    }
    if (view == content.arrays.end() || view->name != name) {
      throw Failure("the array {} of the solution has no shape", name);
    }
    ordered_json one = described(name, view->type, view->shape, content.units);
    one["element"] = array.size;
    const auto text = number_texts().find(view->type);
    if (view->shape.empty() && text != number_texts().end()) {
      one["value"] = text->second.write(array.bytes);
    } else {
      const std::string file = npy_header(view->type, counts_of(view->shape)).append(array.bytes);
      one["file"] = files.of(name);
      one["sha256"] = sha256(file);
      folder.write(one["file"], file);
    }
    json["arrays"].push_back(std::move(one));
    ++view;
  }
  json["problem"] = write_given(folder, content.given, content.units);
  folder.write(solution_name, to_text(json));
}

std::string read_solution(const fs::path& path, std::uintmax_t most) {
  const bool is_folder = fs::is_directory(path);
  if (!is_folder && path.filename() != solution_name) return read_whole(path, most);
  const fs::path folder = is_folder ? path : path.parent_path();
  const nlohmann::json json = parsed_solution(is_folder ? path / solution_name : path);
  try {
    SolutionWriter writer(json.at("key").get<std::string>());
    for (const nlohmann::json& array : json.at("arrays")) {
      const auto element = array.at("element").get<std::size_t>();
      if (element == 0) throw UsageError("an array of the solution has elements of no bytes");
      writer.add(array.at("name").get<std::string>(), element, bytes_of_array(folder, array, most));
    }
    return writer.text();
  } catch (const std::out_of_range&) {
    throw UsageError("something in the solution is missing or wrong");
  } catch (const nlohmann::json::exception&) {
    throw UsageError("something in the solution is missing or wrong");
  }
}

std::vector<std::string> files_of_solution(const fs::path& folder) {
  const nlohmann::json json = parsed_solution(folder / solution_name);
  std::vector<std::string> files;
  try {
    for (const char* part : {"problem", "arrays"}) {
      for (const nlohmann::json& array : json.at(part)) {
        if (array.contains("file")) files.push_back(array.at("file"));
      }
    }
    if (!std::ranges::all_of(files, is_plain)) {
      throw UsageError("the solution has files outside of its folder");
    }
  } catch (const nlohmann::json::exception&) {
    throw UsageError("something in the solution is missing or wrong");
  }
  files.emplace_back(solution_name);
  return files;
}

}  // namespace macrobench
