// The reader of stored solutions.

#include "harness/model/solution_file.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "harness/text/error.hpp"
#include "tests/fuzz/target.hpp"

namespace macrobench {

namespace {

constexpr const char* key = "a/case n=1";

struct Problem {};

/// An array of each kind.
struct Arrays {
  std::vector<double> V;
  std::vector<std::uint8_t> steps;
  double law[2] = {0, 0};
  bool converged = false;

  template <class Self, class Visit>
  static void each_array(const Problem& /*problem*/, Self& self, Visit& visit) {
    visit("V", self.V);
    visit("steps", self.steps);
    visit("law", self.law);
    visit("converged", self.converged);
  }
};

Arrays read(std::string_view text) {
  Arrays arrays;
  restore(Problem{}, arrays, text, key);
  return arrays;
}

std::string written(const Arrays& arrays) {
  return stored_text(Problem{}, arrays, key);
}

}  // namespace

}  // namespace macrobench

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace macrobench;
  try {
    const std::string text = written(read({reinterpret_cast<const char*>(data), size}));
    require(written(read(text)) == text, "what is written is read again, bit for bit");
  } catch (const UsageError& refused) {
    require(std::string_view(refused.what()).find("solution") != std::string_view::npos,
            "a refusal says what it refuses");
  }
  return 0;
}
