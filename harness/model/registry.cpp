#include "harness/model/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "harness/model/array_view.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

/// "id|lacks|remedy,...", which the build sets.
std::vector<LeftOut> read_left_out(std::string_view list) {
  std::vector<LeftOut> all;
  if (list.empty()) return all;
  for (const std::string_view entry : split(list, ',')) {
    const std::vector<std::string_view> fields = split(entry, '|');
    all.push_back(
        {std::string(fields.at(0)), std::string(fields.at(1)), std::string(fields.at(2))});
  }
  std::ranges::sort(all, {}, &LeftOut::id);
  return all;
}

/// A file's path from the repository's root; the compiler may have been given another.
std::string_view in_repository(std::string_view file) {
  const std::size_t at = file.rfind("implementations/");
  return at == std::string_view::npos ? file : file.substr(at);
}

/// Complete, except for files.
Parameters without_files(const std::vector<Axis>& axes, Parameters given) {
  for (const Axis& axis : axes) {
    if (axis.is_file) given.set(axis.name, axis.default_value);
  }
  return complete(axes, given, 1);
}

double work_by(const Hooks<Parameters>& hooks, const Model& model, const std::vector<Axis>& axes,
               const Parameters& given) {
  return hooks.work ? hooks.work(without_files(axes, given)) : model.size_of(given);
}

Floor floor_by(const Hooks<Parameters>& hooks, const std::vector<Axis>& axes,
               const Parameters& given, const Outcome& outcome) {
  return hooks.floor ? hooks.floor(without_files(axes, given), outcome) : Floor{};
}

/// Whether a GPU does it, if the parameters decide this.
std::optional<bool> decided_by(const Parameters& given, const Model& model,
                               std::string_view stage) {
  if (!model.on_gpu) return std::nullopt;
  return model.on_gpu(without_files(model.axes, given), stage);
}

/// Those that an implementation lacks are its model's; a case must be able to run by both.
void fill_in(Hooks<Parameters>& its, const Hooks<Parameters>& of_model) {
  if (!its.work) its.work = of_model.work;
  if (!its.floor) its.floor = of_model.floor;
  if (!its.known_invalid) its.known_invalid = of_model.known_invalid;
  if (!its.unavailable) {
    its.unavailable = of_model.unavailable;
  } else if (of_model.unavailable) {
    its.unavailable = [first = of_model.unavailable,
                       then = its.unavailable](const Parameters& given) {
      const std::string why = first(given);
      return why.empty() ? then(given) : why;
    };
  }
}

}  // namespace

std::string to_string(Origin origin) {
  constexpr const char* names[] = {"published", "corrected", "frontier", "yours", "original"};
  return names[static_cast<std::size_t>(origin)];
}

std::string Instance::stored(const std::string& key) const {
  throw std::logic_error(key + " has nothing to store");
}

void Instance::restore(std::string_view /*text*/, const std::string& key) {
  throw std::logic_error(key + " has nothing to restore");
}

std::vector<ArrayView> Instance::arrays() const {
  throw std::logic_error("a solution has nothing to compare");
}

std::string key_field(std::string_view name, std::string_view value) {
  const bool has_space = value.find(' ') != std::string_view::npos;  // a file's name
  return has_space ? fmt::format(" {}='{}'", name, value) : fmt::format(" {}={}", name, value);
}

std::string Case::key() const {
  std::string key = implementation->id();
  for (const Axis& axis : implementation->axes) {
    const Value& value = *parameters.find(axis.name);
    if (!axis.headline && !axis.in_every_key && value == axis.default_value) continue;
    key += key_field(
        axis.name, axis.is_file ? without_folders(std::get<std::string>(value)) : to_string(value));
  }
  return key;
}

std::string Case::unavailable() const {
  std::string why = implementation->unavailable();
  const auto& of_case = implementation->hooks.unavailable;
  return why.empty() && of_case ? of_case(parameters) : why;
}

std::string Case::known_invalid() const {
  const auto& of_case = implementation->hooks.known_invalid;
  return of_case ? of_case(parameters) : "";
}

std::string LeftOut::why() const {
  return fmt::format("not in this build, which has no {}: {}", lacks, remedy);
}

double Case::work() const {
  return work_by(implementation->hooks, model(), implementation->axes, parameters);
}

Floor Case::floor(const Outcome& outcome) const {
  return floor_by(implementation->hooks, implementation->axes, parameters, outcome);
}

bool Case::is_on_gpu(std::string_view stage) const {
  return decided_by(parameters, model(), stage).value_or(implementation->runs_on == RunsOn::gpu);
}

Parameters Model::with_own_defaults(std::string_view implementation, Parameters given) const {
  const auto own = own_defaults.find(implementation);
  if (own == own_defaults.end()) return given;
  for (const auto& [axis, value] : own->second) {
    if (given.find(axis) == nullptr) given.set(axis, value);
  }
  return given;
}

double Model::work_of(std::string_view implementation, const Parameters& given) const {
  const Implementation* its = Registry::global().find(fmt::format("{}/{}", name, implementation));
  return its == nullptr ? work_by(hooks, *this, axes, with_own_defaults(implementation, given))
                        : Case{its, only_taken(*its, given)}.work();
}

Floor Model::floor_of(std::string_view implementation, const Parameters& given,
                      const Outcome& outcome) const {
  const Implementation* its = Registry::global().find(fmt::format("{}/{}", name, implementation));
  return its == nullptr ? floor_by(hooks, axes, with_own_defaults(implementation, given), outcome)
                        : Case{its, only_taken(*its, given)}.floor(outcome);
}

bool Model::is_on_gpu(std::string_view implementation, std::string_view stage,
                      const Parameters& given) const {
  const auto by_case = decided_by(with_own_defaults(implementation, given), *this, stage);
  return by_case ? *by_case
                 : Registry::global().needs_gpu(fmt::format("{}/{}", name, implementation));
}

double Model::size_of(const Parameters& given) const {
  const Value* size = given.find(size_axis);
  if (size == nullptr) return 0;
  if (const auto* whole = std::get_if<std::int64_t>(size)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(size);
  return real == nullptr ? 0 : *real;
}

std::string Model::unit_of(std::string_view figure) const {
  const auto found = outcome_figures.find(figure);
  return found == outcome_figures.end() ? "1" : found->second.unit;
}

std::vector<std::string> Model::figure_names() const {
  std::vector<std::string> names;
  for (const auto& [figure, described] : outcome_figures) {
    if (figure != "residual" && figure != "iterations") names.push_back(figure);
  }
  return names;
}

std::vector<std::string> Model::stages_of(std::string_view implementation) const {
  const Implementation* its = Registry::global().find(fmt::format("{}/{}", name, implementation));
  if (its != nullptr && !its->folder.empty()) return {};
  std::vector<std::string> names;
  for (const AnnouncedStage& stage : stages) {
    const bool is_its = stage.implementations.empty() ||
                        std::ranges::count(stage.implementations, implementation) > 0;
    if (is_its) names.push_back(stage.name);
  }
  return names;
}

bool Model::grows_along(std::string_view axis) const {
  return axis == size_axis || std::ranges::count(work_axes, axis) > 0;
}

Registry& Registry::global() {
  static Registry registry;
  return registry;
}

void Registry::add(Model model) {
  if (!model.check) model.check = [](const Parameters&) {};
  if (find_model(model.name) != nullptr) {
    conflicts_.push_back(fmt::format("two models are named {}: rename one", model.name));
    return;
  }
  const auto after = std::ranges::upper_bound(models_, model.name, {}, &Model::name);
  models_.insert(after, std::move(model));
}

void Registry::add_given(const std::string& model, GivenArrays arrays) {
  given_arrays_[model] = std::move(arrays);
}

std::vector<GivenArray> Registry::given_arrays(const Case& which) const {
  const auto its = given_arrays_.find(which.implementation->model);
  return its == given_arrays_.end() ? std::vector<GivenArray>() : its->second(which.parameters);
}

void Registry::add(Implementation implementation) {
  implementation.its_model = &model(implementation.model);
  fill_in(implementation.hooks, implementation.its_model->hooks);
  Model& its_model = *std::ranges::find(models_, implementation.model, &Model::name);
  add_own_defaults(implementation, its_model);
  // Only those that have the axis know what "all" is there; who reads a value asks the model.
  for (const Axis& axis : implementation.axes) {
    if (axis.all == nullptr) continue;
    const auto same = std::ranges::find(its_model.axes, axis.name, &Axis::name);
    if (same != its_model.axes.end()) same->all = axis.all;
  }
  const auto [known, is_new] = implementations_.try_emplace(implementation.id(), implementation);
  if (is_new) return;
  conflicts_.push_back(fmt::format("two implementations are named {}, in {} and {}: rename one",
                                   known->first, in_repository(known->second.source),
                                   in_repository(implementation.source)));
}

void Registry::add_own_defaults(Implementation& implementation, Model& its_model) {
  Parameters own;
  for (Axis& axis : implementation.axes) {
    if (!axis.own_default) continue;
    try {
      axis.own_default = check_value(axis, *axis.own_default, 1);
      own.set(axis.name, *axis.own_default);
    } catch (const UsageError& error) {
      axis.own_default.reset();
      conflicts_.push_back(
          fmt::format("the own default of {}: {}", implementation.id(), error.what()));
    }
  }
  const auto declared = its_model.own_defaults.find(implementation.name);
  if (declared != its_model.own_defaults.end() && declared->second != own) {
    conflicts_.push_back(fmt::format(
        "{} has other defaults of its own than its model says, in {}: declare them once",
        implementation.id(), in_repository(implementation.source)));
  }
  if (!own.empty()) its_model.own_defaults[implementation.name] = std::move(own);
}

void Registry::check() const {
  if (!conflicts_.empty()) throw Failure("{}", fmt::join(conflicts_, "; "));
}

std::vector<const Implementation*> Registry::implementations() const {
  std::vector<const Implementation*> all;
  for (const auto& [id, implementation] : implementations_) all.push_back(&implementation);
  return all;
}

const std::vector<LeftOut>& Registry::left_out() const {
  static const std::vector<LeftOut> all = read_left_out(MACROBENCH_LEFT_OUT);
  return all;
}

const Model* Registry::find_model(std::string_view name) const {
  const auto found = std::ranges::find(models_, name, &Model::name);
  return found == models_.end() ? nullptr : &*found;
}

const Implementation* Registry::find(std::string_view id) const {
  const auto found = implementations_.find(id);
  return found == implementations_.end() ? nullptr : &found->second;
}

const Model& Registry::model(std::string_view name) const {
  if (const Model* found = find_model(name)) return *found;
  std::vector<std::string> names;
  for (const Model& model : models_) names.push_back(model.name);
  throw UsageError(unknown_name("model", name, names));
}

const LeftOut* Registry::find_left_out(std::string_view id) const {
  const auto found = std::ranges::find(left_out(), id, &LeftOut::id);
  return found == left_out().end() ? nullptr : &*found;
}

bool Registry::needs_gpu(std::string_view id) const {
  if (const Implementation* found = find(id)) return found->runs_on == RunsOn::gpu;
  const LeftOut* missing = find_left_out(id);
  return missing != nullptr && missing->lacks == "CUDA";
}

const Implementation& Registry::implementation(std::string_view id) const {
  if (const Implementation* found = find(id)) return *found;
  const std::size_t slash = id.find('/');
  if (slash == std::string_view::npos) {
    std::vector<std::string> ids;
    for (const Implementation* known : implementations()) ids.push_back(known->id());
    std::vector<std::string> alike = ids;
    const bool is_model = find_model(id) != nullptr;
    std::erase_if(alike, [&](const std::string& known) {
      return is_model ? !known.starts_with(fmt::format("{}/", id))
                      : !known.ends_with(fmt::format("/{}", id));
    });
    throw UsageError("'{}' is {}: write it as model/implementation, such as {}", shown(id),
                     is_model ? "a model" : "not an implementation",
                     alike.empty() ? nearest(id, ids) : fmt::format("{}", fmt::join(alike, ", ")));
  }
  static_cast<void>(model(id.substr(0, slash)));
  if (const LeftOut* known = find_left_out(id)) {
    throw UsageError("{} is {}", id, known->why());
  }
  std::vector<std::string> names;
  for (const Implementation* known : implementations()) {
    if (known->model == id.substr(0, slash)) names.push_back(known->id());
  }
  throw UsageError(unknown_name("implementation", id, names));
}

Case Registry::make_case(std::string_view id, const Parameters& given, int cores) const {
  const Implementation& chosen = implementation(id);
  const Model& its_model = model(chosen.model);
  for (const auto& [name, value] : given) {
    static_cast<void>(find_axis(its_model.axes, name));
    const bool taken = std::ranges::find(chosen.axes, name, &Axis::name) != chosen.axes.end();
    if (!taken) throw UsageError("{} has no parameter '{}'", chosen.id(), shown(name));
  }
  Case made{&chosen, complete(chosen.axes, given, cores)};
  its_model.check(made.parameters);
  return made;
}

Parameters only_taken(const Implementation& implementation, const Parameters& given) {
  Parameters taken;
  for (const Axis& axis : implementation.axes) {
    if (const Value* value = given.find(axis.name)) taken.set(axis.name, *value);
  }
  return taken;
}

}  // namespace macrobench
