#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace macrobench {

/// The JSON of a file that a person wrote. Throws UsageError, which calls the file by `name`, if it
/// cannot be read, has more bytes than `most` or is not JSON.
nlohmann::json read_json(const std::filesystem::path& path, const std::string& name,
                         std::uintmax_t most = std::uintmax_t{64} << 20);

}  // namespace macrobench
