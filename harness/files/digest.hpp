#pragma once

#include <string>
#include <string_view>

namespace macrobench {

/// SHA-256 of the bytes, as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

/// The same in base 64, as a page's security policy has it.
std::string sha256_in_base64(std::string_view bytes);

/// HMAC-SHA-256 of the bytes under the key, as 64 hexadecimal digits.
std::string hmac_sha256(std::string_view key, std::string_view bytes);

/// SHA-256 of the rest of an open file. Throws std::system_error if it cannot be read.
std::string sha256_of_file(int descriptor);

}  // namespace macrobench
