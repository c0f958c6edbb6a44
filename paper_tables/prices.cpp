#include "paper_tables/prices.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace macrobench {

Prices prices_of(const std::filesystem::path& folder, std::string_view field,
                 std::string_view value) {
  Prices prices;
  std::ifstream stream(folder / "hardware.json");
  const nlohmann::json all = nlohmann::json::parse(stream, nullptr, false);
  if (all.is_discarded()) return prices;
  for (const nlohmann::json& processor : all.at("processors")) {
    if (processor.value(std::string(field), "") != value) continue;
    const auto take = [&](const char* what, const char* from, std::optional<double>& to,
                          std::string& source) {
      if (!processor.contains(what)) return;
      to = processor.at(what).get<double>();
      source += (source.empty() ? "" : "; ") + processor.at(from).get<std::string>();
    };
    take("price_usd", "price_source", prices.gpu_usd, prices.source);
    take("watts", "watts_source", prices.watts, prices.source);
    take("cpu_price_usd", "cpu_price_source", prices.cpu_usd, prices.cpu_source);
    prices.cpu_cores = processor.value("cpu_cores", 1);
  }
  return prices;
}

}  // namespace macrobench
