#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/command_line/output_options.hpp"
#include "harness/tables/sheet.hpp"

namespace macrobench {

/// A view in all formats: JSON has all of its sheets, CSV the first.
inline Output output_of_sheets(const std::string& view, std::function<Document()> document,
                               const std::function<std::vector<Sheet>()>& sheets) {
  return {.document = std::move(document),
          .json = [=] { return to_json(view, sheets()); },
          .csv = [=] { return to_csv(sheets().front()); }};
}

/// A topic of `macrobench list`: a sheet under a title, and a last sentence.
inline Output listed(Sheet (*sheet)(), const std::string& title, const std::string& advice) {
  const auto document = [=] {
    Document made{.title = title, .body = blocks_of(sheet())};
    made.body.emplace_back(Paragraph{advice});
    return made;
  };
  return output_of_sheets("list", document, [=] { return std::vector{sheet()}; });
}

}  // namespace macrobench
