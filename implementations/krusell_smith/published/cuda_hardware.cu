// The published panel by the texture units' own interpolation (Algorithm 1 of Hatcher and Scheffel
// 2014): bilinear, in single precision, with 8-bit weights.

#include "implementations/krusell_smith/published/outer_loop.hpp"
#include "implementations/krusell_smith/published/texture_panel.cuh"
#include "implementations/krusell_smith/solver.hpp"

namespace macrobench::krusell_smith {

namespace {

struct Hardware {
  using Real = float;
  using Texel = float;
  static constexpr cudaTextureFilterMode filter = cudaFilterModeLinear;
  static constexpr PanelKind kind = PanelKind::hardware;

  static Texel texel(double k) { return static_cast<float>(k); }
  static __device__ Real choose(cudaTextureObject_t surface, Real x, Real y) {
    return tex2D<float>(surface, x + 0.5F, y + 0.5F);
  }
};

/// A launch and a sum for each period.
double work(const Problem& problem) {
  return work_with(problem, 4.5e4 + 0.01 * problem.N);
}

const RegisterSolver registered{numerics::on_gpu(
    Solver{.name = "cuda_hardware",
           .origin = Origin::published,
           .summary = "CUDA C, the texture units' bilinear interpolation, with 8-bit weights",
           .axes = {agents_in_memory(), {"shocks"}, {"shock_bits"}, {"moves"}, {"block"}},
           .start = start_textures<Hardware>,
           .solve_single = solve_as_published<TexturePanel<Hardware>>,
           .hooks = {.work = work},
           .source = __FILE__})};

}  // namespace

}  // namespace macrobench::krusell_smith
