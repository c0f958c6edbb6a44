#pragma once

// The host's side of the published panels on a GPU (Algorithm 3 of Hatcher and Scheffel 2014) and
// what their kernels share: the policy's four surfaces in textures, one kernel launch per period,
// Thrust's sum, and the mean clipped on the host.

#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/start.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/krusell_smith/panel/panel_method.hpp"
#include "implementations/numerics/parallel/device.cuh"

namespace macrobench::krusell_smith {

/// The policy of one state as a texture: K along its width, k along its height. Texels are centred
/// at halves, addresses clamped to the edge. Unwritten until the first upload.
template <class Texel>
class Surface {
 public:
  Surface(const Grids& grids, cudaTextureFilterMode filter)
      : width_(static_cast<std::size_t>(grids.n_K)), height_(static_cast<std::size_t>(grids.n_k)) {
    const cudaChannelFormatDesc texel = cudaCreateChannelDesc<Texel>();
    numerics::check(cudaMallocArray(&array_, &texel, width_, height_), "allocating a texture");
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaTextureDesc description = {};
    description.addressMode[0] = cudaAddressModeClamp;
    description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = filter;
    description.readMode = cudaReadModeElementType;
    const cudaError_t error = cudaCreateTextureObject(&texture_, &resource, &description, nullptr);
    if (error != cudaSuccess) cudaFreeArray(array_);
    numerics::check(error, "making a texture");
  }
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;
  ~Surface() {
    cudaDestroyTextureObject(texture_);
    cudaFreeArray(array_);
  }

  /// `texels` has shape n_k x n_K.
  void upload(const std::vector<Texel>& texels) {
    const std::size_t row = width_ * sizeof(Texel);
    numerics::check(
        cudaMemcpy2DToArray(array_, 0, 0, texels.data(), row, row, height_, cudaMemcpyHostToDevice),
        "copying a texture to the device");
  }

  [[nodiscard]] cudaTextureObject_t texture() const { return texture_; }

 private:
  std::size_t width_, height_;
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t texture_ = 0;
};

/// A period as a kernel sees it.
template <class Real>
struct Period {
  cudaTextureObject_t surfaces[2];  ///< by employment
  Real K;
  const std::uint8_t* employment;  ///< one bit per agent, the most significant first
  int N, n_K, n_k;
  Real K_min, K_max, k_max, theta;
};

/// Replaces every agent's wealth by its choice; `clips` grows by the choices that were clipped.
/// Method::choose(surface, x, y) is k' at indices x of K and y of k, both from 0.
template <class Method, class Real>
__global__ void advance_agents(const Period<Real> period, Real* wealth, unsigned long long* clips) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= period.N) return;
  const Real x =
      (period.K - period.K_min) / (period.K_max - period.K_min) * static_cast<Real>(period.n_K - 1);
  const Real y =
      pow(wealth[i] / period.k_max, 1 / period.theta) * static_cast<Real>(period.n_k - 1);
  const bool works = (period.employment[i / 8] & (128 >> i % 8)) != 0;
  const Real chosen = works ? Method::choose(period.surfaces[employed], x, y)
                            : Method::choose(period.surfaces[unemployed], x, y);
  const Real k = min(max(chosen, Real(0)), period.k_max);
  wealth[i] = k;
  if (k != chosen) atomicAdd(clips, 1ULL);
}

/// A panel whose kernels read the policy from textures. A Method defines its Real and its Texel,
/// and has, besides choose(), the textures' `filter`, its `kind`, and `texel(k)`, k' as a texel.
template <class Method>
class TexturePanel final : public PanelMethod {
 public:
  using Real = typename Method::Real;
  using Texel = typename Method::Texel;

  TexturePanel(const Problem& problem, const Shocks& shocks)
      : problem_(problem),
        shocks_(shocks),
        bits_(shocks.bits),
        first_(in_precision(first_wealth(problem, shocks))),
        wealth_(first_.size()),
        clips_(1),
        surfaces_{{problem.grids, Method::filter},
                  {problem.grids, Method::filter},
                  {problem.grids, Method::filter},
                  {problem.grids, Method::filter}} {}

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    upload(policy);
    numerics::check(cudaMemset(clips_.data(), 0, sizeof(unsigned long long)), "resetting clips");
    copy(wealth_, first_);
    Clips clips;
    K[0] = mean(clips);
    for (int t = 0; t < problem_.moves(); ++t) {
      advance(t, K[static_cast<std::size_t>(t)]);
      numerics::check(cudaDeviceSynchronize(), "simulating a period");
      if (t + 1 < problem_.T) K[static_cast<std::size_t>(t) + 1] = mean(clips);
    }
    unsigned long long clips_of_k = 0;
    clips_.download({&clips_of_k, 1});
    clips.k = static_cast<std::int64_t>(clips_of_k);
    return clips;
  }

  void keep_last() override { copy(first_, wealth_); }

  void write(Equilibrium& equilibrium) const {
    equilibrium.kind = Method::kind;
    equilibrium.first_wealth = on_host(first_);
    equilibrium.last_wealth = on_host(wealth_);
  }

 private:
  using Buffer = numerics::DeviceBuffer<Real>;

  static std::vector<Real> in_precision(const std::vector<double>& wealth) {
    return {wealth.begin(), wealth.end()};
  }

  static std::vector<double> on_host(const Buffer& wealth) {
    std::vector<Real> values(wealth.size());
    wealth.download(values);
    return {values.begin(), values.end()};
  }

  static void copy(Buffer& to, const Buffer& from) {
    numerics::check(
        cudaMemcpy(to.data(), from.data(), from.size() * sizeof(Real), cudaMemcpyDeviceToDevice),
        "copying wealth");
  }

  void upload(const std::vector<double>& policy) {
    const Grids& grids = problem_.grids;
    std::vector<Texel> texels;
    for (int s = 0; s < states; ++s) {
      texels.clear();
      for (int i = 0; i < grids.n_k; ++i) {
        for (int j = 0; j < grids.n_K; ++j) {
          texels.push_back(Method::texel(policy[static_cast<std::size_t>(grids.line(s, j) + i)]));
        }
      }
      surfaces_[s].upload(texels);
    }
  }

  void advance(int t, double K) {
    const Grids& grids = problem_.grids;
    const int a = shocks_.a(t);
    const Period<Real> period = {
        .surfaces = {surfaces_[state_of(a, unemployed)].texture(),
                     surfaces_[state_of(a, employed)].texture()},
        .K = static_cast<Real>(K),
        .employment = bits_.data() + static_cast<std::size_t>(t) * shocks_.stride,
        .N = problem_.N,
        .n_K = grids.n_K,
        .n_k = grids.n_k,
        .K_min = static_cast<Real>(grids.K_min),
        .K_max = static_cast<Real>(grids.K_max),
        .k_max = static_cast<Real>(grids.k_max),
        .theta = static_cast<Real>(grids.theta)};
    const int blocks = (problem_.N + problem_.block - 1) / problem_.block;
    advance_agents<Method>
        <<<static_cast<unsigned>(blocks), static_cast<unsigned>(problem_.block)>>>(
            period, wealth_.data(), clips_.data());
    numerics::check(cudaGetLastError(), "launching a period");
  }

  [[nodiscard]] double mean(Clips& clips) {
    const Real sum =
        thrust::reduce(thrust::device, wealth_.data(), wealth_.data() + wealth_.size(), Real(0));
    const double mean = static_cast<double>(sum) / problem_.N;
    const double clipped = problem_.grids.clip_K(mean);
    clips.K += clipped != mean ? 1 : 0;
    return clipped;
  }

  const Problem& problem_;
  const Shocks& shocks_;
  numerics::DeviceBuffer<std::uint8_t> bits_;
  Buffer first_, wealth_;
  numerics::DeviceBuffer<unsigned long long> clips_;
  Surface<Texel> surfaces_[states];
};

/// Draws the shocks, creates the context and loads the kernels.
template <class... Methods>
void start_textures(const Problem& problem) {
  start_panel(problem);
  numerics::load_kernels(advance_agents<Methods, typename Methods::Real>...);
}

}  // namespace macrobench::krusell_smith
