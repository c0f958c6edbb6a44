#pragma once

/// Marks a function that runs on the host and, under a CUDA compiler, on the device as well.
#if defined(__CUDACC__)
#define MACROBENCH_HOST_DEVICE __host__ __device__
#else
#define MACROBENCH_HOST_DEVICE
#endif

/// Before a loop whose count the compiler knows: a CUDA compiler repeats its body instead, or does
/// not.
#if defined(__CUDACC__)
#define MACROBENCH_UNROLL _Pragma("unroll")
#define MACROBENCH_ROLLED _Pragma("unroll 1")
#else
#define MACROBENCH_UNROLL
#define MACROBENCH_ROLLED
#endif
