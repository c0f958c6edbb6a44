#include "paper_tables/cells/lookup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

namespace macrobench {

namespace {

/// Those requested parameters that the implementation has: as this build knows it or, if it is not
/// in this build, as its own defaults or any of its records do.
Parameters taken_of(const CellRequest& request, const std::vector<const Record*>& its_records) {
  if (const Implementation* its = Registry::global().find(request.id())) {
    return only_taken(*its, request.parameters);
  }
  const Parameters own =
      Registry::global().model(request.model).with_own_defaults(request.implementation, {});
  Parameters taken;
  for (const auto& [name, value] : request.parameters) {
    const bool is_on_record = std::ranges::any_of(its_records, [&](const Record* record) {
      return record->parameters.find(name) != nullptr;
    });
    if (is_on_record || own.find(name) != nullptr) taken.set(name, value);
  }
  return taken;
}

bool answers(const Record& record, const CellRequest& request, const Parameters& taken, int cores) {
  if (record.model != request.model || record.implementation != request.implementation) {
    return false;
  }
  const std::vector<Axis>& axes = Registry::global().model(record.model).axes;
  const auto is_requested = [&](const auto& entry) {
    const auto& [name, value] = entry;
    const auto axis = std::ranges::find(axes, name, &Axis::name);
    if (axis == axes.end()) return false;  // an axis this build does not know yet
    const Value* requested = request.parameters.find(name);
    if (requested == nullptr) return is_same(value, axis->default_value);
    if (axis->counts_cores && *requested == Value(std::string("all"))) {
      return is_same(value, static_cast<std::int64_t>(cores));
    }
    return is_same(value, axis->is_file ? without_folders(to_string(*requested)) : *requested);
  };
  if (!std::all_of(record.parameters.begin(), record.parameters.end(), is_requested)) return false;
  // A record without one of its implementation's parameters is older than the axis.
  return std::all_of(taken.begin(), taken.end(), [&](const auto& entry) {
    const auto& [name, value] = entry;
    return record.parameters.find(name) != nullptr ||
           is_same(value, find_axis(axes, name).if_lacking());
  });
}

class ResultsIndex {
 public:
  ResultsIndex(const Results& results, std::shared_ptr<const FolderTimes> times)
      : times_(std::move(times)) {
    for (const Record& record : results.records) {
      records_[record.id()].push_back(&record);
    }
    for (const auto& [id, machine] : results.machines) cores_[id] = machine.cores();
    if (!results.records.empty()) {
      const auto last = results.machines.find(results.records.back().machine);
      without_gpu_ = last != results.machines.end() && !last->second.has_gpu();
    }
  }

  [[nodiscard]] Finding find(const CellRequest& request) {
    Finding found = find_as_requested(request);
    for (const Axis& axis : Registry::global().model(request.model).axes) {
      if (found.record != nullptr || !axis.lacking) continue;
      if (request.parameters.find(axis.name) != nullptr) continue;
      CellRequest before = request;
      before.parameters.set(axis.name, *axis.lacking);
      Finding history = find_as_requested(before);
      // Else its implementation lacks the axis, and has nothing instead of anything.
      if (history.record == nullptr) {
        if (found.why_not.kind == Reason::Kind::no_record) found = std::move(history);
        continue;
      }
      if (history.record->parameters.find(axis.name) == nullptr) continue;
      found = std::move(history);
      found.as_before = fmt::format("{}={}", axis.name, to_string(*axis.lacking));
    }
    return found;
  }

 private:
  [[nodiscard]] Finding find_as_requested(const CellRequest& request) {
    const std::string id = request.id();
    const Record* reason = nullptr;
    std::vector<const Record*> answering;
    const Parameters taken = taken_of(request, records_[id]);
    for (const Record* record : records_[id]) {
      const auto cores = cores_.find(record->machine);
      if (!answers(*record, request, taken, cores == cores_.end() ? 1 : cores->second)) continue;
      if (record->status == Status::not_run) {
        reason = record;
        continue;
      }
      answering.push_back(record);
    }
    if (const Record* shown = shown_of(answering)) return finding_of(*shown, times_);
    if (reason != nullptr) return {nullptr, reason->why, reason->work};
    return {nullptr, without_gpu_ && needs_gpu(request) ? Reason("no GPU here")
                                                        : Reason(Reason::Kind::no_record)};
  }

  std::shared_ptr<const FolderTimes> times_;
  std::map<std::string, std::vector<const Record*>> records_;
  std::map<std::string, int> cores_;
  bool without_gpu_ = false;
};

}  // namespace

Finding finding_of(const Record& record, std::shared_ptr<const FolderTimes> times) {
  return {.record = &record, .work = record.work, .times = std::move(times)};
}

std::string CellRequest::key() const {
  std::string key = id();
  for (const auto& [name, value] : parameters) key += key_field(name, to_string(value));
  return key;
}

std::vector<std::string> implementation_names(const std::string& model) {
  const std::string prefix = model + "/";
  std::vector<std::string> names;
  const auto add = [&](const std::string& id) {
    if (id.starts_with(prefix)) names.push_back(id.substr(prefix.size()));
  };
  for (const Implementation* known : Registry::global().implementations()) add(known->id());
  for (const LeftOut& known : Registry::global().left_out()) add(known.id);
  std::ranges::sort(names);
  return names;
}

bool needs_gpu(const CellRequest& request) {
  return Registry::global().needs_gpu(request.id());
}

bool runs_on_gpu(const CellRequest& request, const std::vector<std::string>& stages) {
  const Model& model = Registry::global().model(request.model);
  const auto is_there = [&](std::string_view stage) {
    return model.is_on_gpu(request.implementation, stage, request.parameters);
  };
  return stages.empty() ? is_there({}) : std::ranges::any_of(stages, is_there);
}

std::optional<Case> case_of(const CellRequest& request, int cores) {
  const Implementation* implementation = Registry::global().find(request.id());
  if (implementation == nullptr) return std::nullopt;
  return Registry::global().make_case(request.id(), only_taken(*implementation, request.parameters),
                                      cores);
}

std::string why_left_out(const CellRequest& request, bool has_gpu) {
  if (!has_gpu && needs_gpu(request)) return "no GPU here";
  const LeftOut* missing = Registry::global().find_left_out(request.id());
  return missing == nullptr ? "not in this build" : missing->why();
}

bool answers(const Record& record, const CellRequest& request, int cores) {
  return answers(record, request, taken_of(request, {&record}), cores);
}

std::string problem_of(
    const Record& record,
    const std::function<bool(const Axis& axis, const Model& model)>& is_left_out) {
  const Model& model = Registry::global().model(record.model);
  std::string problem;
  for (const Axis& axis : model.axes) {
    if (is_left_out(axis, model)) continue;
    const Value* held = record.parameters.find(axis.name);
    const Value& value = held == nullptr ? axis.if_lacking() : *held;
    if (axis.headline || value != axis.default_value) {
      problem += key_field(axis.name, to_string(value));
    }
  }
  return problem.empty() ? problem : problem.substr(1);
}

Lookup lookup_in(const Results& results) {
  return lookup_in(results, std::make_shared<const FolderTimes>(results));
}

Lookup lookup_in(const Results& results, std::shared_ptr<const FolderTimes> times) {
  return [index = std::make_shared<ResultsIndex>(results, std::move(times))](
             const CellRequest& request) { return index->find(request); };
}

}  // namespace macrobench
