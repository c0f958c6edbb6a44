// The published panels by interpolation in software: bi-cubic Catmull-Rom of 16 texels per agent
// (Algorithms 2 and A.2 of Hatcher and Scheffel 2014). Textures cannot hold doubles, so those of
// the double-precision panel hold the two halves of each.

#include <bit>

#include "implementations/krusell_smith/panel/catmull_rom.hpp"
#include "implementations/krusell_smith/published/outer_loop.hpp"
#include "implementations/krusell_smith/published/texture_panel.cuh"
#include "implementations/krusell_smith/solver.hpp"

namespace macrobench::krusell_smith {

namespace {

struct Single {
  using Real = float;
  using Texel = float;

  static Texel texel(double k) { return static_cast<float>(k); }
  static __device__ Real fetch(cudaTextureObject_t surface, float x, float y) {
    return tex2D<float>(surface, x, y);
  }
};

struct Double {
  using Real = double;
  using Texel = int2;

  static Texel texel(double k) { return std::bit_cast<int2>(k); }
  static __device__ Real fetch(cudaTextureObject_t surface, float x, float y) {
    const int2 halves = tex2D<int2>(surface, x, y);
    return __hiloint2double(halves.y, halves.x);
  }
};

template <class Precision>
struct Software : Precision {
  using typename Precision::Real;
  static constexpr cudaTextureFilterMode filter = cudaFilterModePoint;
  static constexpr PanelKind kind = PanelKind::agents;

  static __device__ Real choose(cudaTextureObject_t surface, Real x, Real y) {
    const Real px = floor(x);
    const Real py = floor(y);
    const CatmullRom<Real> in_K(x - px);
    const CatmullRom<Real> in_k(y - py);
    const auto texel = [&](int m, int n) {
      return Precision::fetch(surface, static_cast<float>(px) + static_cast<float>(m) - 0.5F,
                              static_cast<float>(py) + static_cast<float>(n) - 0.5F);
    };
    Real along_K[4];
    for (int n = 0; n < 4; ++n) {
      along_K[n] = in_K(texel(0, n), texel(1, n), texel(2, n), texel(3, n));
    }
    return in_k(along_K[0], along_K[1], along_K[2], along_K[3]);
  }
};

/// A launch and a sum for each period.
double work(const Problem& problem) {
  return work_with(problem, 4.5e4 + 0.036 * problem.N);
}

const RegisterSolver registered{numerics::on_gpu(Solver{
    .name = "cuda_software",
    .origin = Origin::published,
    .summary = "CUDA C, Catmull-Rom of 16 texels per agent; doubles as textures of their halves",
    .axes = {agents_in_memory(), {"shocks"}, {"shock_bits"}, {"moves"}, {"block"}},
    .start = start_textures<Software<Single>, Software<Double>>,
    .solve_single = solve_as_published<TexturePanel<Software<Single>>>,
    .solve_double = solve_as_published<TexturePanel<Software<Double>>>,
    .hooks = {.work = work},
    .source = __FILE__})};

}  // namespace

}  // namespace macrobench::krusell_smith
