#pragma once

#include <string>
#include <string_view>

#include "paper_tables/cells/definition.hpp"

namespace macrobench {

/// A paper as a sentence names it: "Aldrich et al. (2010)"; without a year with its title.
std::string short_document(std::string_view document);

/// A table as a sentence names it: "Aldrich et al. (2010), Table 3".
std::string short_title(const Definition& definition);

}  // namespace macrobench
