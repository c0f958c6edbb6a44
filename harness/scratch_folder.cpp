#include "harness/scratch_folder.hpp"

#include <cstdlib>
#include <string>
#include <system_error>

#include "harness/error.hpp"

namespace macrobench {

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "macrobench_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw Failure("no temporary folder could be made");
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace macrobench
