#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/text/document.hpp"

namespace macrobench {

/// One problem of a model in three times: what a paper prints, the same program on this machine,
/// and the best program that we know, on this machine too. Seconds; none: not printed, not
/// measured.
struct Story {
  std::string model = {};     ///< "Stochastic growth"
  std::string size = {};      ///< "Nk = 65,536"
  std::string program = {};   ///< the paper's fastest of those measured here
  std::string frontier = {};  ///< the best one that was measured here
  std::string table = {};     ///< that prints the time: "Aldrich (2014), Table 2"
  std::string hardware = {};  ///< on which it was measured
  std::optional<double> printed = {};
  std::optional<double> here = {};
  std::optional<double> best = {};
  std::string work = {};   ///< what the best program does less of, in a sentence; perhaps none
  std::string drift = {};  ///< what the two times from here do not share, as drift_of() says
};

/// The story in a sentence.
Words verdict_of(const Story& story);

/// As an element: a row for each story, and folded below what was run and what is in print.
std::string front_table(const std::vector<Story>& stories);

/// A machine's stories.
struct MachineStories {
  std::string machine;  ///< for a reader: "NVIDIA H100"
  std::vector<Story> stories;
};

/// From published to frontier on each machine, by model: as a file of SVG, or as an element of a
/// page with plot_style. Empty if no machine has a story with its ends.
std::string picture_of(const std::vector<MachineStories>& machines, bool is_file);

}  // namespace macrobench
