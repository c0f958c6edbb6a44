#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/floor.hpp"
#include "harness/model/growth_law.hpp"
#include "harness/model/origin.hpp"
#include "harness/model/outcome.hpp"
#include "harness/model/parameters.hpp"
#include "harness/model/runs_on.hpp"
#include "harness/model/stages.hpp"

namespace macrobench {

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
  /// Judges the last solution. `thorough` checks every state however long that takes.
  virtual Outcome check(bool thorough) = 0;
  /// A hash of the last solution: equal for equal bits.
  [[nodiscard]] virtual std::uint64_t fingerprint() const = 0;
  /// The last solution as text, under the key of its case, for other cases to start from. Asked for
  /// only where the implementation saves.
  [[nodiscard]] virtual std::string saved(const std::string& key) const;
};

/// One way to solve a model.
struct Implementation {
  std::string model;
  std::string name;
  Origin origin = Origin::published;
  std::string summary;     ///< one line
  std::vector<Axis> axes;  ///< a selection of its model's axes; some with fewer choices
  std::string source;      ///< its file, from the repository's root
  bool has_start =
      false;           ///< whether start() does anything, so that a fresh process is worth while
  bool saves = false;  ///< whether a solution can be saved

  std::function<std::string()> unavailable;  ///< empty if it can run here, else why not
  /// Where it can: empty if this case can too, else why not. Null where all can.
  std::function<std::string(const Parameters&)> case_unavailable;
  std::function<std::unique_ptr<Instance>(const Parameters&)> instantiate;
  /// Why this case is known not to come out right (a published finding), or empty.
  std::function<std::string(const Parameters&)> known_invalid = [](const Parameters&) {
    return std::string();
  };
  /// What its time grows with, in a unit of its own. Null: its model's.
  std::function<double(const Parameters&)> work;
  /// What a solution had to move and compute; the outcome says how many iterations it took. Null:
  /// not known.
  std::function<Floor(const Parameters&, const Outcome&)> floor;
  RunsOn runs_on = RunsOn::cpu;
  /// Whether a GPU does a stage of a case, or any of the solution where none is named. Null: that
  /// goes by `runs_on`.
  std::function<bool(std::string_view stage, const Parameters&)> on_gpu;

  [[nodiscard]] std::string id() const { return model + "/" + name; }
};

/// Numbers that a paper plots: columns by name, and a row a point.
struct Curves {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};

/// A paper's figure, as data. `name` is the paper and the figure: "aldrich_2014/figure_3".
struct Figure {
  std::string name;
  std::string summary;  ///< one line
  /// Throws UsageError. The parameters are of the model's axes, complete.
  std::function<Curves(const Parameters&)> curves;
};

/// What follows from a case's parameters alone, whoever solves it: the size of an array.
struct DerivedNumber {
  std::string name;
  std::string summary;                             ///< one line, with the unit
  std::function<double(const Parameters&)> value;  ///< of parameters of the model's axes, complete
};

/// The economics and its numerical problem.
struct Model {
  std::string name;
  std::string summary;     ///< one line
  std::vector<Axis> axes = {};  ///< everything an implementation of it may take
  /// The axis along which a row of a table grows and a sweep is extrapolated: "nk".
  std::string size_axis;
  /// Throws UsageError where values that are each allowed do not go together.
  std::function<void(const Parameters&)> check;
  std::vector<Figure> figures = {};
  std::vector<DerivedNumber> derived = {};
  /// What the time of its published algorithm grows with, where that is not the size itself: the
  /// nodes of a tree of so many periods, say.
  std::function<double(const Parameters&)> work = {};
  /// What a solution by it has to move and compute, for records of implementations that the build
  /// leaves out.
  std::function<Floor(const Parameters&, const Outcome&)> floor = {};
  /// Axes beside the size axis that the work accounts for: cases that differ in them too are
  /// predicted from each other.
  std::vector<std::string> work_axes = {};
  std::vector<std::int64_t> trial_sizes = {256, 1024};  ///< that each implementation does quickly
  /// Whether a GPU does a stage of a solution, or the whole where none is named, where that goes by
  /// the parameters; none, as without this, where it goes by the implementation.
  std::function<std::optional<bool>(std::string_view stage, const Parameters&)> on_gpu = {};
  /// The parameters that the problem made of these holds, read back from it.
  std::function<Parameters(const Parameters&)> held = {};

  /// How much a case has to do, for the laws of growth: its implementation's work, which is the
  /// model's where the build leaves that out, or else its size; 0 without one.
  [[nodiscard]] double work_of(std::string_view implementation, const Parameters& given) const;
  /// Its implementation's floor, or the model's where the build leaves that out.
  [[nodiscard]] Floor floor_of(std::string_view implementation, const Parameters& given,
                               const Outcome& outcome) const;
  /// What that is.
  [[nodiscard]] Sizes sizes() const { return work ? Sizes::of_work : Sizes::of_a_problem; }
  /// Whether the law that a case's time follows accounts for this axis.
  [[nodiscard]] bool grows_along(std::string_view axis) const;
};

/// How much a case has to do, for the laws of growth: its work, or else its size; 0 without one.
/// `given` may leave axes out, which then have their defaults; no file is looked at. Throws
/// UsageError for a value that is not allowed. So do those below.
double work_of(const Implementation& implementation, const Parameters& given);

/// What that is.
Sizes sizes_of(const Implementation& implementation);

/// What the solution of a case had to move and compute; an unknown one where nobody says.
Floor floor_of(const Implementation& implementation, const Parameters& given,
               const Outcome& outcome);

/// Whether a GPU does this stage of a case, or any of the solution where none is named.
bool is_on_gpu(const Implementation& implementation, std::string_view stage,
               const Parameters& given);

/// Model, implementation and parameters, complete and checked.
struct Case {
  const Implementation* implementation = nullptr;
  Parameters parameters;

  /// One stable readable line: "rbc/cuda_c nk=4096 nz=4 maximizer=bisection real=double
  /// tolerance=1.6e-10". Axes that are not headlines stand in it where they differ from the
  /// default. Of a file it says the name and the digest.
  [[nodiscard]] std::string key() const;

  /// Empty if it can run here, else why not.
  [[nodiscard]] std::string unavailable() const;
};

/// " nk=4096", as a parameter stands in a key.
std::string key_part(std::string_view name, std::string_view value);

/// An implementation that the project has and this build leaves out.
struct LeftOut {
  std::string id;      ///< "rbc/cuda_c"
  std::string lacks;   ///< what it needs and this build has not: "CUDA", "MPI"
  std::string remedy;  ///< what to do: "make build CUDA=on"

  /// One clause: "not in this build, which has no CUDA: make build CUDA=on".
  [[nodiscard]] std::string why() const;
};

/// All models and implementations of this program, filled where each is defined.
class Registry {
 public:
  static Registry& global();

  void add(Model model);
  void add(Implementation implementation);

  /// Sorted by name.
  [[nodiscard]] const std::vector<Model>& models() const { return models_; }
  /// Sorted by model and name.
  [[nodiscard]] std::vector<const Implementation*> implementations() const;
  /// Sorted by id.
  [[nodiscard]] const std::vector<LeftOut>& left_out() const;

  /// Both throw UsageError with the nearest name.
  [[nodiscard]] const Model& model(std::string_view name) const;
  [[nodiscard]] const Implementation& implementation(std::string_view id) const;
  /// Null if there is none of that name.
  [[nodiscard]] const Implementation* find(std::string_view id) const;
  [[nodiscard]] const LeftOut* find_left_out(std::string_view id) const;

  /// The case that `given` asks for. A name that the model has as an axis and the implementation
  /// has not is an error here; see only_taken(). Throws UsageError.
  [[nodiscard]] Case make_case(std::string_view id, const Parameters& given, int cores) const;

 private:
  std::vector<Model> models_;
  std::vector<std::unique_ptr<Implementation>> implementations_;
};

/// Of `given`, what the implementation has an axis for: a table gives one set of parameters to rows
/// of different implementations.
Parameters only_taken(const Implementation& implementation, const Parameters& given);

}  // namespace macrobench
