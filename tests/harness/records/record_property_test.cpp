// Any record is its line of JSON, and what was written whole before a tear is read.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/files/digest.hpp"
#include "harness/model/scrutiny.hpp"
#include "harness/records/reason.hpp"
#include "harness/records/record.hpp"
#include "harness/records/record_json.hpp"
#include "harness/records/record_store.hpp"
#include "harness/text/format.hpp"
#include "tests/harness/properties.hpp"
#include "tests/harness/support.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

int any_count() {
  return *rc::gen::inRange(0, 4);
}

std::vector<double> any_times() {
  std::vector<double> times(static_cast<std::size_t>(any_count()));
  for (double& time : times) time = any_share() * *rc::gen::element(1e-9, 1.0, 1e11);
  return times;
}

std::optional<ReadingRange> any_range() {
  if (*rc::gen::arbitrary<bool>()) return std::nullopt;
  return ReadingRange{any_share(), any_share(), any_share()};
}

GpuConditions any_gpu(std::size_t solutions) {
  GpuConditions gpu{.readings = any_count(),
                    .sm_mhz = any_range(),
                    .memory_mhz = any_range(),
                    .reasons = {any_text()},
                    .power_capped = any_count()};
  if (*rc::gen::arbitrary<bool>()) gpu.highest_celsius = any_share();
  for (std::size_t one = 0; one < solutions; ++one) {
    if (*rc::gen::arbitrary<bool>()) gpu.throttled.push_back(one);
  }
  return gpu;
}

Energy any_energy() {
  Energy energy{.why_not = any_text(),
                .method = any_text(),
                .window_seconds = any_share(),
                .solving_seconds = any_share(),
                .solutions = any_count(),
                .idle_seconds = any_share()};
  if (*rc::gen::arbitrary<bool>()) energy.joules_per_solution = any_share();
  if (*rc::gen::arbitrary<bool>()) energy.idle_watts = any_share();
  return energy;
}

Sample any_sample() {
  Sample sample;
  sample.start = any_share();
  sample.first_solution = any_share();
  sample.solutions = any_times();
  for (int i = any_count(); i > 0; --i) sample.stages[any_name()] = any_times();
  if (*rc::gen::arbitrary<bool>()) sample.gpu = any_gpu(1 + sample.solutions.size());
  if (*rc::gen::arbitrary<bool>()) sample.energy = any_energy();
  if (*rc::gen::arbitrary<bool>()) sample.memory.resident_bytes = 1 + any_count();
  if (*rc::gen::arbitrary<bool>()) sample.memory.gpu_bytes = std::int64_t{1} << 50;
  return sample;
}

Outcome any_outcome() {
  Outcome outcome;
  outcome.valid = *rc::gen::arbitrary<bool>();
  outcome.why = any_text();
  outcome.iterations = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 53);
  outcome.residual = any_finite();
  outcome.allowed = any_finite();
  outcome.checked_states = *rc::gen::inRange<std::int64_t>(0, 1 << 30);
  outcome.exhaustive = *rc::gen::arbitrary<bool>();
  if (!outcome.exhaustive) outcome.draw = new_draw();
  for (int i = any_count(); i > 0; --i) outcome.figures[any_name()] = any_finite();
  for (int i = any_count(); i > 0; --i) outcome.notes[any_name()] = any_text();
  for (int i = any_count(); i > 0; --i) outcome.series[any_name()] = any_times();
  return outcome;
}

Conditions any_conditions() {
  Conditions conditions;
  conditions.cores = *rc::gen::inRange(1, 1000);
  conditions.threads = *rc::gen::inRange(1, 1000);
  for (std::optional<double>* amount :
       {&conditions.others_cores, &conditions.stolen_cores, &conditions.cpu_seconds,
        &conditions.load.before, &conditions.runnable.after, &conditions.mhz.before}) {
    if (*rc::gen::arbitrary<bool>()) *amount = any_share();
  }
  if (*rc::gen::arbitrary<bool>()) conditions.preempted = *rc::gen::inRange(0, 1000);
  for (int i = any_count(); i > 0; --i) conditions.environment[any_name()] = any_text();
  conditions.attempts = *rc::gen::inRange(1, 3);
  return conditions;
}

std::string any_digest() {
  return sha256(any_text());
}

Record any_record() {
  Record record;
  record.key = any_name();
  record.model = any_name();
  record.implementation = any_name();
  record.origin = *rc::gen::element<std::string>("published", "corrected", "frontier", "yours");
  for (int i = any_count(); i > 0; --i) {
    const std::string name = any_name();
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        record.parameters.set(name, *rc::gen::arbitrary<std::int64_t>());
        break;
      case 1:
        record.parameters.set(name, any_finite());
        break;
      default:
        record.parameters.set(name, any_text());
    }
  }
  if (*rc::gen::arbitrary<bool>()) record.work = any_finite();
  if (*rc::gen::arbitrary<bool>()) {
    record.floor = Floor{any_share(), any_share(), {any_name()}, any_share()};
  }
  if (*rc::gen::arbitrary<bool>()) record.on_gpu = *rc::gen::arbitrary<bool>();
  for (int i = any_count(); i > 0; --i) record.gpu_stages.push_back(any_name());
  record.status = static_cast<Status>(*rc::gen::inRange(0, static_cast<int>(Status::timeout) + 1));
  if (*rc::gen::arbitrary<bool>()) record.why = Reason(any_name(), any_text());
  record.expected_invalid = *rc::gen::arbitrary<bool>();
  for (int i = any_count(); i > 0; --i) record.samples.push_back(any_sample());
  if (*rc::gen::arbitrary<bool>() || has_right_result(record.status)) {
    record.outcome = any_outcome();
    if (has_right_result(record.status)) record.outcome->valid = true;
  }
  if (*rc::gen::arbitrary<bool>()) record.conditions = any_conditions();
  record.campaign = any_text();
  record.machine = any_digest();
  record.source = any_digest();
  record.time = utc(*rc::gen::inRange<std::time_t>(0, 4'000'000'000));
  record.seconds = any_share();
  return record;
}

RC_GTEST_PROP(RecordProperty, AnyRecordComesBackFromItsLine, ()) {
  const std::string text = to_json(any_record()).dump();
  RC_ASSERT(text.find('\n') == std::string::npos);
  const json line = json::parse(text);
  RC_ASSERT(json(to_json(record_from_json(line))) == line);
}

RC_GTEST_PROP(RecordProperty, AnyReasonComesBackFromItsText, ()) {
  const std::string text = any_text();
  RC_ASSERT(to_string(reason_from(text)) == text);
}

RC_GTEST_PROP(RecordProperty, WhatIsNoRecordIsRefusedAndNamed, ()) {
  json line = to_json(any_record());
  // Some member is missing, or is of another kind.
  std::vector<std::string> names;
  for (const auto& member : line.items()) {
    if (member.key() != "conditions") names.push_back(member.key());  // which may be missing
  }
  const std::string name = *rc::gen::elementOf(names);
  if (*rc::gen::arbitrary<bool>()) {
    line.erase(name);
  } else {
    line[name] = json::array({json::array()});
  }
  try {
    record_from_json(line);
    RC_FAIL("it was read without " + name);
  } catch (const std::invalid_argument& error) {
    RC_ASSERT(std::string(error.what()).find(name) != std::string::npos);
  }
}

RC_GTEST_PROP(RecordProperty, WhatIsWholeBeforeATearIsReadAndGoesOn, ()) {
  const TemporaryFolder scratch;
  const std::filesystem::path folder = scratch.path() / "machine";
  const int written = *rc::gen::inRange(1, 4);
  {
    RecordStore store(folder);
    for (int i = 0; i < written; ++i) store.append(any_record(), a_machine());
  }
  const std::filesystem::path path = folder / "records.jsonl";
  const std::string whole = content_of(path);
  const auto length = *rc::gen::inRange<std::size_t>(0, whole.size() + 1);
  const std::string left = whole.substr(0, length);
  write_file(path, left);

  // A line that lacks nothing but its end is whole.
  const auto ends = static_cast<std::size_t>(std::count(left.begin(), left.end(), '\n'));
  const bool lacks_end = length < whole.size() && whole[length] == '\n' && !left.empty();
  const std::size_t kept = ends + (lacks_end && left.back() != '\n' ? 1 : 0);
  const bool torn = !left.empty() && left.back() != '\n' && !lacks_end;
  const Results seen = read_results(folder);
  RC_ASSERT(seen.records.size() == kept);
  RC_ASSERT(seen.warnings.size() == (torn ? 1U : 0U));
  {
    RecordStore store(folder);
    store.append(a_record(), a_machine());
  }
  const Results after = read_results(folder);
  RC_ASSERT(after.records.size() == kept + 1);
  RC_ASSERT(after.warnings.empty());
}

}  // namespace
}  // namespace macrobench
