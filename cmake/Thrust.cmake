# Thrust's headers for the OpenMP backend, as the target macrobench::thrust_omp: from the CUDA toolkit
# if there is one, else from the distribution (libthrust-dev).

set(thrust_hints)
if(CUDAToolkit_FOUND)
  set(thrust_hints ${CUDAToolkit_INCLUDE_DIRS})
  list(TRANSFORM thrust_hints APPEND /cccl OUTPUT_VARIABLE thrust_cccl_hints)
  list(PREPEND thrust_hints ${thrust_cccl_hints})
  find_path(MACROBENCH_THRUST_DIR thrust/version.h HINTS ${thrust_hints} NO_DEFAULT_PATH)
endif()
find_path(MACROBENCH_THRUST_DIR thrust/version.h REQUIRED)
mark_as_advanced(MACROBENCH_THRUST_DIR)

add_library(macrobench_thrust_omp INTERFACE)
add_library(macrobench::thrust_omp ALIAS macrobench_thrust_omp)
target_include_directories(macrobench_thrust_omp SYSTEM INTERFACE ${MACROBENCH_THRUST_DIR})
target_link_libraries(macrobench_thrust_omp INTERFACE OpenMP::OpenMP_CXX)
if(MACROBENCH_SANITIZE)
  # Thrust binds a reference through a null pointer, and uses only its type.
  target_compile_options(macrobench_thrust_omp INTERFACE -fno-sanitize=null)
endif()
