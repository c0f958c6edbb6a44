#include "paper_tables/figures/titles.hpp"

namespace macrobench {

std::string short_document(std::string_view document) {
  const std::size_t title = document.find(", \"");
  const std::string_view head = document.substr(0, title);
  const std::size_t year = head.find(" (");
  if (year == std::string_view::npos) {
    const std::size_t end = title == std::string_view::npos ? title : document.find('"', title + 3);
    return std::string(document.substr(0, end == std::string_view::npos ? end : end + 1));
  }
  const std::string_view authors = head.substr(0, year);
  const std::size_t first = authors.find(", ");
  return first == std::string_view::npos
             ? std::string(head)
             : std::string(authors.substr(0, first)) + " et al." + std::string(head.substr(year));
}

std::string short_title(const Definition& definition) {
  return short_document(definition.document) + ", " + definition.title;
}

}  // namespace macrobench
