#include "harness/files/digest.hpp"

#include <fmt/format.h>
#include <sodium.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iterator>
#include <span>
#include <system_error>
#include <vector>

namespace macrobench {

namespace {

using Digest = std::array<unsigned char, crypto_hash_sha256_BYTES>;

const unsigned char* unsigned_data(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

std::string in_hexadecimal(std::span<const unsigned char> digest) {
  std::string text;
  for (const unsigned char byte : digest) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

Digest digest_of(std::string_view bytes) {
  Digest digest{};
  crypto_hash_sha256(digest.data(), unsigned_data(bytes), bytes.size());
  return digest;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  return in_hexadecimal(digest_of(bytes));
}

std::string sha256_in_base64(std::string_view bytes) {
  const Digest digest = digest_of(bytes);
  std::array<char, sodium_base64_ENCODED_LEN(Digest{}.size(), sodium_base64_VARIANT_ORIGINAL)>
      text{};
  return sodium_bin2base64(text.data(), text.size(), digest.data(), digest.size(),
                           sodium_base64_VARIANT_ORIGINAL);
}

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, unsigned_data(key), key.size());
  crypto_auth_hmacsha256_update(&state, unsigned_data(bytes), bytes.size());
  Digest digest{};
  crypto_auth_hmacsha256_final(&state, digest.data());
  return in_hexadecimal(digest);
}

std::string sha256_of_file(int descriptor) {
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  std::vector<unsigned char> buffer(1 << 20);
  while (true) {
    const ssize_t read = ::read(descriptor, buffer.data(), buffer.size());
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) throw std::system_error(errno, std::generic_category(), "it cannot be read");
    if (read == 0) break;
    crypto_hash_sha256_update(&state, buffer.data(), static_cast<std::size_t>(read));
  }
  Digest digest{};
  crypto_hash_sha256_final(&state, digest.data());
  return in_hexadecimal(digest);
}

}  // namespace macrobench
