#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "harness/text/error.hpp"

// A target gives libFuzzer's bytes to a reader of the project, as a file. Whatever they are, the
// reader answers, or reports what is wrong by one of its own exceptions. Any other ends the
// process, which is a finding. The names of the two functions are libFuzzer's.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
// NOLINTEND(readability-identifier-naming)

namespace macrobench {

/// Ends the process where what must hold of every input does not.
inline void require(bool holds, std::string_view what) {
  if (holds) return;
  fmt::print(stderr, "It does not hold that {}.\n", what);
  std::abort();
}

inline void write_input(const std::filesystem::path& path, const std::uint8_t* data,
                        std::size_t size) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
}

/// Calls read(), which may refuse the file in one sentence that names it.
template <class Read>
void read_or_refuse(std::string_view file, Read read) {
  try {
    read();
  } catch (const UsageError& error) {
    const std::string_view sentence = error.what();
    require(sentence.find(file) != std::string_view::npos, "an error names the file");
  }
}

}  // namespace macrobench
