#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace macrobench {

/// A JSON Schema.
class JsonSchema {
 public:
  explicit JsonSchema(const nlohmann::json& document) {
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(document),
                                            schema_);
  }
  bool accepts(const nlohmann::json& value) {
    return valijson::Validator().validate(schema_, valijson::adapters::NlohmannJsonAdapter(value),
                                          nullptr);
  }

 private:
  valijson::Schema schema_;
};

}  // namespace macrobench
