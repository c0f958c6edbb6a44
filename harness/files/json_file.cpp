#include "harness/files/json_file.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "harness/files/whole_file.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

using nlohmann::json;

json read_json(const std::filesystem::path& path, const std::string& name, std::uintmax_t most) {
  std::string text;
  try {
    text = read_whole(path, most);
    check_nesting(text);
    if (text.find('\0') != std::string::npos) throw std::invalid_argument("there is a NUL in it");
    return json::parse(text);
  } catch (const std::system_error& error) {
    throw UsageError("{}: it cannot be read ({})", name, error.code().message());
  } catch (const std::invalid_argument& error) {
    throw UsageError("{}: {}", name, error.what());
  } catch (const json::parse_error&) {
    throw UsageError("{}: {}", name, why_not_json(text));
  } catch (const json::out_of_range&) {
    throw UsageError("{}: a number in it is too large", name);
  }
}

}  // namespace macrobench
