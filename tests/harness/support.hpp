#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/files/temporary_folder.hpp"
#include "harness/machine/machine.hpp"
#include "harness/records/record.hpp"

namespace macrobench {

std::string content_of(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& content);

/// A record and a machine that are right in every detail.
Record a_record(const std::string& key = "fake/plain size=1");
Machine a_machine(int cores = 2);
/// The same machine, which says which installation it is.
Machine identified(const std::string& installation, const std::string& from = "machine-id",
                   const nlohmann::ordered_json& gpus = nlohmann::ordered_json::array());

/// How a test's child process is called: its executable with these arguments.
std::vector<std::string> test_child(std::vector<std::string> arguments);

}  // namespace macrobench
