#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/floor.hpp"
#include "harness/model/growth_law.hpp"
#include "harness/model/outcome.hpp"
#include "harness/model/parameters.hpp"
#include "harness/model/scrutiny.hpp"
#include "harness/model/solution_arrays.hpp"
#include "harness/model/solver.hpp"
#include "harness/model/stages.hpp"

namespace macrobench {

struct ArrayView;

/// Its name: "published".
std::string to_string(Origin origin);

/// What a solver from outside had around its solutions.
struct Surroundings {
  std::map<std::string, std::vector<double>> seconds;  ///< by name: "process", "load", "write"
  std::map<std::string, std::string> notes;            ///< for the outcome: its versions
  /// The most that its processes had in memory up to the first answer; none if nobody knows it.
  std::optional<std::int64_t> resident_bytes = {};
};

/// One case made ready to run: a model's problem bound to an implementation and a precision. The
/// driver calls start() once, then any number of times poison(), solve(), and check() or
/// fingerprint().
class Instance {
 public:
  virtual ~Instance() = default;

  /// What the papers call start-up: device context, libraries. Timed.
  virtual void start() = 0;
  /// Overwrites the buffers that hold results, so that nothing of an earlier run is left in them.
  virtual void poison() = 0;
  /// Timed.
  virtual void solve(Stages& stages) = 0;
  /// Judges the last solution.
  virtual Outcome check(const Scrutiny& scrutiny) = 0;
  /// How many solutions, of problems that differ a little, the last solve() was.
  [[nodiscard]] virtual int solutions_at_once() const { return 1; }
  /// What there was around all solutions so far.
  [[nodiscard]] virtual Surroundings surroundings() const { return {}; }
  /// The SHA-256 of the last solution: equal for equal bits alone.
  [[nodiscard]] virtual std::string fingerprint() const = 0;
  /// The last solution, every bit of it, under the key of its case; and back, in place of a
  /// poisoned one. The latter throws UsageError. Called only if the implementation stores.
  [[nodiscard]] virtual std::string stored(const std::string& key) const;
  virtual void restore(std::string_view text, const std::string& key);
  /// The last solution's arrays, as numbers, while it is there. Throws UsageError if one does not
  /// have the size that the problem gives it; see views_of(). Called only if the implementation
  /// stores.
  [[nodiscard]] virtual std::vector<ArrayView> arrays() const;
};

struct Model;

/// One way to solve a model.
struct Implementation {
  std::string model;
  const Model* its_model = nullptr;  ///< once it is in the registry
  std::string name;
  Origin origin = Origin::published;
  std::string summary;     ///< one line
  std::vector<Axis> axes;  ///< a selection of its model's axes; some with fewer choices
  std::string source;      ///< its file, from the repository's root
  /// Of a program from outside, its folder and the SHA-256 of what is in it; else empty.
  std::string folder = {};
  std::string folder_digest = {};
  /// Whether it is one that no paper has: tables have a block for those.
  bool of_today = false;
  bool has_start = false;  ///< whether start() does anything, so that a new process is worthwhile
  bool stores = false;     ///< whether one can be stored and certified again

  /// Empty if it can run here, else the reason.
  std::function<std::string()> unavailable = [] { return std::string(); };
  std::function<std::unique_ptr<Instance>(const Parameters&)> instantiate;
  /// The registry puts its model's here where it has none. A case must be able to run by both.
  Hooks<Parameters> hooks = {};
  RunsOn runs_on = RunsOn::cpu;

  [[nodiscard]] std::string id() const { return model + "/" + name; }
  /// What the work of its cases is.
  [[nodiscard]] Sizes sizes() const { return hooks.work ? Sizes::of_work : Sizes::of_a_problem; }
};

/// Numbers that a paper plots: columns by name, and one row per point.
struct Curves {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};

/// A paper's figure, as data. `name` is the paper and the figure: "aldrich_2014/figure_3".
struct Figure {
  std::string name;
  std::string summary;  ///< one line
  /// Throws UsageError. The parameters have all of the model's axes.
  std::function<Curves(const Parameters&)> curves;
};

/// A number that a certificate records beside the iterations and the residual.
struct OutcomeFigure {
  std::string unit;  ///< "log10 of a share"; "1" of a pure number, which a reader is not shown
  std::string definition;  ///< one line
  /// How far off the economics of a solution is: its unit is "share of ..." or "log10 of a share of
  /// ...". A model has one such figure at most.
  bool is_error = false;
};
using OutcomeFigures = std::map<std::string, OutcomeFigure, std::less<>>;

/// Of the arrays of a model's solutions and problems, by name; for values that are no figures too.
using ArrayUnits = std::map<std::string, std::string, std::less<>>;

/// A stage that solvers announce.
struct AnnouncedStage {
  std::string name;
  std::string summary;                            ///< one line
  std::vector<std::string> implementations = {};  ///< empty: all of its model's
};

/// What follows from a case's parameters alone, for every solver: the size of an array.
struct DerivedNumber {
  std::string name;
  std::string summary;                             ///< one line, with the unit
  std::function<double(const Parameters&)> value;  ///< of parameters with all of the model's axes
};

/// The economics and its numerical problem.
struct Model {
  std::string name;
  std::string summary;          ///< one line
  std::vector<Axis> axes = {};  ///< everything that an implementation of it may have
  /// The axis along which a row of a table grows and a sweep is extrapolated: "nk".
  std::string size_axis;
  /// Throws UsageError if values that are each allowed do not work together. Null, until it is in
  /// the registry, if there are none.
  std::function<void(const Parameters&)> check = {};
  std::vector<Figure> figures = {};
  std::vector<DerivedNumber> derived = {};
  /// Every figure of its outcomes, and their "iterations" and "residual".
  OutcomeFigures outcome_figures = {};
  std::vector<AnnouncedStage> stages = {};
  /// Of the arrays of its solutions and of its problems, by name.
  ArrayUnits array_units = {};
  /// Those of its published algorithm, also for records of what the build leaves out.
  Hooks<Parameters> hooks = {};
  /// Axes besides the size axis that the work accounts for: cases that differ in these too are
  /// predicted from each other.
  std::vector<std::string> work_axes = {};
  /// Axes that decide how the same problem is solved; see role_of().
  std::vector<std::string> method_axes = {};
  std::vector<std::int64_t> trial_sizes = {256, 1024};  ///< that each implementation solves quickly
  bool stores = true;  ///< whether there is more to a solution than its time, worth a file
  /// Whether a GPU does a stage of a solution, or the whole if none is named, if the parameters
  /// decide this; none, as without this function, if the implementation decides.
  std::function<std::optional<bool>(const Parameters&, std::string_view stage)> on_gpu = {};
  /// The parameters of the problem made from these, read back from it.
  std::function<Parameters(const Parameters&)> held = {};
  /// The own defaults of implementations, by name. A model declares them for what some builds leave
  /// out, because tables and records say the same in all of them; the registry adds the others.
  std::map<std::string, Parameters, std::less<>> own_defaults = {};

  // Of a case of which only the names are at hand: see Case. Axes that `given` leaves out have
  // their defaults. Throw UsageError for a value that is not allowed.

  /// `given`, and where it says nothing the implementation's own defaults.
  [[nodiscard]] Parameters with_own_defaults(std::string_view implementation,
                                             Parameters given) const;
  /// How much it must do, for the laws of growth: its implementation's work (the model's if the
  /// build leaves that implementation out), or else its size; 0 without one.
  [[nodiscard]] double work_of(std::string_view implementation, const Parameters& given) const;
  /// Its implementation's floor, or the model's if the build leaves that implementation out; an
  /// unknown floor if none is declared.
  [[nodiscard]] Floor floor_of(std::string_view implementation, const Parameters& given,
                               const Outcome& outcome) const;
  /// Whether a GPU does this stage of a case, or any of the solution if none is named.
  [[nodiscard]] bool is_on_gpu(std::string_view implementation, std::string_view stage,
                               const Parameters& given) const;
  /// Along the size axis; 0 without a number.
  [[nodiscard]] double size_of(const Parameters& given) const;
  /// What a table can print as a figure: all except the iterations and the residual.
  [[nodiscard]] std::vector<std::string> figure_names() const;
  /// That this implementation announces. A program from outside announces none.
  [[nodiscard]] std::vector<std::string> stages_of(std::string_view implementation) const;
  /// "1" also if it has no such figure: an older build's records may have others.
  [[nodiscard]] std::string unit_of(std::string_view figure) const;
  /// What the work is.
  [[nodiscard]] Sizes sizes() const { return hooks.work ? Sizes::of_work : Sizes::of_a_problem; }
  /// Whether the law that a case's time follows accounts for this axis.
  [[nodiscard]] bool grows_along(std::string_view axis) const;
};

/// Model, implementation and parameters, complete and checked.
struct Case {
  const Implementation* implementation = nullptr;
  Parameters parameters;

  [[nodiscard]] const Model& model() const { return *implementation->its_model; }

  /// One stable readable line: "rbc/cuda_c nk=4096 nz=4 maximizer=bisection real=double
  /// tolerance=1.6e-10". Axes that are not headlines are in it only if they differ from the model's
  /// default, whatever the implementation's own is. A file appears by its name and digest.
  [[nodiscard]] std::string key() const;

  /// Empty if it can run here, else the reason.
  [[nodiscard]] std::string unavailable() const;
  /// Why it is known to give a wrong result (a published finding), or empty.
  [[nodiscard]] std::string known_invalid() const;

  // What follows from the case; no file is read for it.

  /// How much it must do, for the laws of growth: its size without a declared work.
  [[nodiscard]] double work() const;
  /// An unknown floor if none is declared.
  [[nodiscard]] Floor floor(const Outcome& outcome) const;
  /// Whether a GPU does this stage, or any of the solution if none is named.
  [[nodiscard]] bool is_on_gpu(std::string_view stage = {}) const;
};

/// " nk=4096", a parameter as part of a key.
std::string key_field(std::string_view name, std::string_view value);

/// An implementation that the project has and this build leaves out.
struct LeftOut {
  std::string id;      ///< "rbc/cuda_c"
  std::string lacks;   ///< what it needs and this build lacks: "CUDA"
  std::string remedy;  ///< what to do: "make build CUDA=on"

  /// One clause: "not in this build, which has no CUDA: make build CUDA=on".
  [[nodiscard]] std::string why() const;
};

/// All models and implementations of this build; each registers itself where it is defined.
class Registry {
 public:
  static Registry& global();

  void add(Model model);
  /// How a model's problem is made of arrays, by the parameters of a case.
  using GivenArrays = std::function<std::vector<GivenArray>(const Parameters&)>;
  void add_given(const std::string& model, GivenArrays arrays);
  /// None for a model without any.
  [[nodiscard]] std::vector<GivenArray> given_arrays(const Case& which) const;
  void add(Implementation implementation);
  /// Throws Failure if two implementations or models have the same name, or if an implementation's
  /// own default is not allowed or not what its model says: what registers itself before main()
  /// cannot be told so.
  void check() const;

  /// Sorted by name.
  [[nodiscard]] const std::list<Model>& models() const { return models_; }
  /// Sorted by model and name.
  [[nodiscard]] std::vector<const Implementation*> implementations() const;
  /// Sorted by id.
  [[nodiscard]] const std::vector<LeftOut>& left_out() const;

  /// Both throw UsageError with the nearest name.
  [[nodiscard]] const Model& model(std::string_view name) const;
  [[nodiscard]] const Implementation& implementation(std::string_view id) const;
  /// Null if there is none of that name.
  [[nodiscard]] const Model* find_model(std::string_view name) const;
  [[nodiscard]] const Implementation* find(std::string_view id) const;
  [[nodiscard]] const LeftOut* find_left_out(std::string_view id) const;
  /// Whether it runs on a GPU, also if the build leaves it out.
  [[nodiscard]] bool needs_gpu(std::string_view id) const;

  /// The case with the parameters `given`. An axis that the model has and
  /// the implementation lacks is an error here; see only_taken(). Throws UsageError.
  [[nodiscard]] Case make_case(std::string_view id, const Parameters& given, int cores) const;

 private:
  /// Checks those that the implementation declares, and adds them to its model.
  void add_own_defaults(Implementation& implementation, Model& its_model);

  std::list<Model> models_;                                       ///< which stay in their places
  std::map<std::string, GivenArrays, std::less<>> given_arrays_;  ///< by model
  std::map<std::string, Implementation, std::less<>> implementations_;  ///< by id
  std::vector<std::string> conflicts_;                                  ///< one sentence each
};

/// The part of `given` for which the implementation has axes: a table gives the same parameters to
/// rows of different implementations.
Parameters only_taken(const Implementation& implementation, const Parameters& given);

}  // namespace macrobench
