#pragma once

namespace macrobench {

/// What does an implementation's work.
enum class RunsOn {
  cpu,             ///< threads of this process
  gpu,             ///< a GPU
  another_program  ///< one that this process starts and waits for: an interpreter, MPI processes
};

}  // namespace macrobench
