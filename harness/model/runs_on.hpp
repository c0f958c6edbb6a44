#pragma once

namespace macrobench {

/// What an implementation runs on.
enum class RunsOn {
  cpu,             ///< threads of this process
  gpu,             ///< a GPU
  another_program  ///< which this process starts and waits for: an interpreter, MPI processes
};

}  // namespace macrobench
