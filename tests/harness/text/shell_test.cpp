#include "harness/text/shell.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/executable.hpp"
#include "tests/harness/support.hpp"
#include "tests/hostile_text.hpp"

namespace macrobench {
namespace {

/// What bash makes of the words, each with a NUL behind it.
std::string by_bash(const std::string& words) {
  const TemporaryFolder scratch;
  const std::filesystem::path script = scratch.path() / "script";
  write_file(script, "cd " + scratch.path().string() + "; printf '%s\\0' " + words + "\n");
  return by_shell("bash " + script.string()).output;
}

TEST(ShellWord, IsAsTypedIfItIsPlain) {
  EXPECT_EQ(shell_word("rbc/serial"), "rbc/serial");
  EXPECT_EQ(shell_word("--nk=128..1024:64"), "--nk=128..1024:64");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("a\nb"), "$'a\\012b'");
}

TEST(ShellWord, IsOneWordOnOneLineWhateverIsInIt) {
  std::vector<std::string> texts(hostile_texts.begin(), hostile_texts.end());
  for (const char* text : {"",
                           "$(touch made)",
                           "`touch made`",
                           "; touch made",
                           "a' ; touch made; '",
                           "$HOME ${PATH}",
                           "*",
                           "~",
                           "!!",
                           "{a,b}",
                           "a\\",
                           "\\",
                           "'",
                           "\"",
                           "a\n#SBATCH --wrap=x\ntouch made\n",
                           "\n",
                           "\x01\x7f'\\$(touch made)",
                           "=ls",
                           "#x",
                           "-n",
                           "&",
                           "|",
                           "<x",
                           ">made",
                           "\t",
                           "a\n1"}) {
    texts.emplace_back(text);
  }
  std::string words, expected;
  for (const std::string& text : texts) {
    const std::string word = shell_word(text);
    EXPECT_EQ(word.find('\n'), std::string::npos) << word;
    words += " " + word;
    expected += text + '\0';
  }
  EXPECT_EQ(by_bash(words), expected);
}

}  // namespace
}  // namespace macrobench
