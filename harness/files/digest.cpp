#include "harness/files/digest.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iterator>
#include <memory>
#include <span>
#include <system_error>
#include <vector>

namespace macrobench {

namespace {

std::string in_hexadecimal(std::span<const unsigned char> digest) {
  std::string text;
  for (const unsigned char byte : digest) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

Digest digest_of(std::string_view bytes) {
  Digest digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return digest;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  return in_hexadecimal(digest_of(bytes));
}

std::string sha256_in_base64(std::string_view bytes) {
  const Digest digest = digest_of(bytes);
  std::array<unsigned char, 4 * ((SHA256_DIGEST_LENGTH + 2) / 3) + 1> text{};
  const int length = EVP_EncodeBlock(text.data(), digest.data(), static_cast<int>(digest.size()));
  return {text.begin(), text.begin() + length};
}

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  Digest digest{};
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data(), nullptr);
  return in_hexadecimal(digest);
}

std::string sha256_of_file(int descriptor) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
  std::vector<unsigned char> buffer(1 << 20);
  while (true) {
    const ssize_t read = ::read(descriptor, buffer.data(), buffer.size());
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) throw std::system_error(errno, std::generic_category(), "it cannot be read");
    if (read == 0) break;
    EVP_DigestUpdate(context.get(), buffer.data(), static_cast<std::size_t>(read));
  }
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  EVP_DigestFinal_ex(context.get(), digest.data(), nullptr);
  return in_hexadecimal(digest);
}

}  // namespace macrobench
