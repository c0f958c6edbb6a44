#include "paper_tables/cells/prices.hpp"

#include "paper_tables/cells/place.hpp"

namespace macrobench {

Prices prices_of(const std::filesystem::path& folder, std::string_view field,
                 std::string_view value) {
  Prices prices;
  for_each_in(folder / "hardware.json", "processors", [&](const Place& processor) {
    if (processor.text_or_empty(std::string(field)) != value) return;
    const auto take = [&](const char* what, const char* from, std::optional<double>& to,
                          std::string& source) {
      if (!processor.has(what)) return;
      to = processor.at(what).number();
      source = processor.at(from).text();
    };
    take("price_usd", "price_source", prices.gpu_usd, prices.gpu_usd_source);
    take("usd_per_hour", "usd_per_hour_source", prices.gpu_usd_per_hour,
         prices.gpu_usd_per_hour_source);
    take("cpu_price_usd", "cpu_price_source", prices.cpu_usd, prices.cpu_usd_source);
    if (processor.has("cpu_cores")) {
      prices.cpu_cores = static_cast<int>(processor.at("cpu_cores").count());
    }
  });
  return prices;
}

}  // namespace macrobench
