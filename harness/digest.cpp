#include "harness/digest.hpp"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <array>
#include <iterator>

namespace macrobench {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  std::string text;
  for (const unsigned char byte : digest) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

}  // namespace macrobench
