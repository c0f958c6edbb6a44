#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace macrobench {

/// A file that `macrobench new` writes; what stands between at signs in it is replaced.
struct Skeleton {
  std::string path;  ///< from the repository's root
  std::string text;
};

/// What is added at the end of a file that there is.
struct AddedLine {
  std::string path;
  std::string after;  ///< behind the last line that begins with this
  std::string text;
};

/// The files that a recipe begins with, and the lines that name them.
struct Skeletons {
  std::vector<Skeleton> files;
  std::vector<AddedLine> lines;
  std::string next;  ///< what to do with them, one sentence
};

/// Of MODEL/NAME: an implementation that solves nothing yet, so that its result is invalid.
Skeletons skeletons_of_an_implementation(const std::string& model, const std::string& name);
/// A model that is whole, a copy of newton with its serial solver: its parabolas are to be replaced
/// by your economics, piece by piece.
Skeletons skeletons_of_a_model(const std::filesystem::path& root, const std::string& name);
/// A table with one row and one column of an implementation of the model.
Skeletons skeletons_of_a_table(const std::string& paper, const std::string& table,
                               const std::string& model, const std::string& implementation);

}  // namespace macrobench
