#include "harness/machine/energy.hpp"

#include "harness/text/json_fields.hpp"

namespace macrobench {

const JsonFields<Energy>& energy_fields() {
  constexpr double most = 1e21;  // a large power station for thirty thousand years
  static const auto fields =
      JsonFields<Energy>(
          "The energy of a solution, measured in a separate window after all timing.")
          .field("joules_per_solution", &Energy::joules_per_solution,
                 as::or_null(as::number_within(0, most)),
                 "Covers the whole device, its idle power included.")
          .field("why_not", &Energy::why_not, as::text_or_null(),
                 "The reason if there is no number.")
          .field("method", &Energy::method, as::text_or_null())
          .field("window_seconds", &Energy::window_seconds, as::seconds())
          .field("solving_seconds", &Energy::solving_seconds, as::seconds(),
                 "Seconds of the window within the timed solutions.")
          .field("solutions", &Energy::solutions, as::at_least_0<int>())
          .field("idle_seconds", &Energy::idle_seconds, as::seconds(), "Before the window.")
          .field("idle_watts", &Energy::idle_watts, as::or_null(as::number_within(0, most)));
  return fields;
}

}  // namespace macrobench
