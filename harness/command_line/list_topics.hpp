#pragma once

#include <string>
#include <vector>

#include "harness/command_line/output_options.hpp"

namespace macrobench {

/// What `macrobench list NAME` lists besides models: "tables".
struct ListTopic {
  std::string name;
  std::string summary;  ///< one line
  Output (*output)() = nullptr;
};

/// Registers a topic, at namespace scope of the file that defines it; there is no list of them.
class RegisterListTopic {
 public:
  explicit RegisterListTopic(ListTopic topic);
};

/// Sorted by name.
std::vector<ListTopic> list_topics();

}  // namespace macrobench
