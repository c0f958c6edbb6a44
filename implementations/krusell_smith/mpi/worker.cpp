// The ranks behind mpi.cpp: each moves its share of the households through a panel as frontier.cpp
// does, eight agents at a time, and its threads divide that share. A period ends with an all-gather
// of the sums of wealth.
//
// Households are summed in chunks, in order, and the chunks in order: a number of chunks that
// depends on N alone, so the number of ranks and threads changes no bit.

#include "implementations/mpi/worker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <vector>

#include "implementations/krusell_smith/model.hpp"
#include "implementations/krusell_smith/mpi/panel_request.hpp"
#include "implementations/krusell_smith/panel/eight_agents.hpp"
#include "implementations/numerics/widest_vectors.hpp"

namespace macrobench::krusell_smith {

namespace {

/// The most chunks of a panel: ranks times threads beyond them have nothing to do.
constexpr int most_chunks = 1024;
/// Households whose bits are whole words.
constexpr int word = 32;

int households_of_a_chunk(int N) {
  const int each = (N + most_chunks - 1) / most_chunks;
  return (each + word - 1) / word * word;
}

/// Takes the next values from a message.
class Reader {
 public:
  explicit Reader(const std::vector<char>& bytes) : next_(bytes.data()), left_(bytes.size()) {}

  template <class T>
  void read(T* values, std::size_t count) {
    std::memcpy(values, pass(count * sizeof(T)), count * sizeof(T));
  }
  /// The next bytes, where they are.
  const char* pass(std::size_t size) {
    if (size > left_) throw std::runtime_error("macrobench's request breaks off");
    const char* at = next_;
    next_ += size;
    left_ -= size;
    return at;
  }
  [[nodiscard]] std::size_t left() const { return left_; }

 private:
  const char* next_;
  std::size_t left_;
};

/// This rank's share of a panel.
class PanelShare {
 public:
  PanelShare(const PanelRequest& request, Reader& reader, const mpi::Ranks& ranks)
      : grids_(request.grids),
        N_(request.N),
        chunk_(households_of_a_chunk(request.N)),
        moves_(request.moves),
        states_(static_cast<std::size_t>(request.T)),
        sums_(static_cast<std::size_t>((N_ + chunk_ - 1) / chunk_)),
        chunks_(ranks.shares(sums_.size())),
        first_chunk_(static_cast<int>(chunks_[static_cast<std::size_t>(ranks.rank())])),
        end_chunk_(static_cast<int>(chunks_[static_cast<std::size_t>(ranks.rank()) + 1])),
        begin_(std::min(first_chunk_ * chunk_, N_)),
        end_(std::min(end_chunk_ * chunk_, N_)) {
    reader.read(states_.data(), states_.size());
    const char* wealth = reader.pass(static_cast<std::size_t>(N_) * sizeof(double));
    of_set_up_.resize(static_cast<std::size_t>(end_ - begin_));
    std::memcpy(of_set_up_.data(), wealth + static_cast<std::size_t>(begin_) * sizeof(double),
                of_set_up_.size() * sizeof(double));
    stride_ = static_cast<std::size_t>((end_ - begin_ + 7) / 8);
    bits_.resize(stride_ * states_.size());
    for (std::size_t t = 0; t < states_.size(); ++t) {
      const char* row = reader.pass(request.stride);
      std::memcpy(bits_.data() + t * stride_, row + begin_ / 8, stride_);
    }
    for (const std::size_t chunk : chunks_) {
      begins_.push_back(
          std::min(chunk * static_cast<std::size_t>(chunk_), static_cast<std::size_t>(N_)));
    }
    begin();
  }

  void begin() { first_ = of_set_up_; }
  void keep_last() { first_ = wealth_; }

  void simulate(const std::vector<double>& policy, mpi::Ranks& ranks) {
    const bool seventh = grids_.theta == 7;
    const int T = static_cast<int>(states_.size());
    K_.resize(states_.size());
    clips_ = {};
    wealth_ = first_;
    ranks.enter("panel");
    Lines lines(grids_, PanelInterpolation::catmull_rom, policy);
#pragma omp parallel for schedule(static)
    for (int c = first_chunk_; c < end_chunk_; ++c) add_up(c);
    for (int t = 0; t < T; ++t) {
      ranks.enter("exchange");
      ranks.all_gather(chunks_, sums_.data());
      ranks.enter("panel");
      const double K = mean();
      K_[static_cast<std::size_t>(t)] = grids_.clip_K(K);
      clips_.K += K_[static_cast<std::size_t>(t)] != K ? 1 : 0;
      if (t == moves_) break;
      lines.collapse(states_[static_cast<std::size_t>(t)], K_[static_cast<std::size_t>(t)]);
      std::int64_t clips = 0;
#pragma omp parallel for schedule(static) reduction(+ : clips)
      for (int c = first_chunk_; c < end_chunk_; ++c) {
        numerics::with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE {
          clips += seventh ? advance<true>(lines, c, t) : advance<false>(lines, c, t);
        });
      }
      clips_.k += clips;
    }
  }

  void answer_simulation(mpi::Ranks& ranks) {
    clips_.k = ranks.sum(clips_.k);
    ranks.answer(bytes_of(K_));
    ranks.answer(bytes_of(clips_));
  }

  void hand_over(mpi::Ranks& ranks) {
    std::vector<double> all(ranks.is_first() ? static_cast<std::size_t>(N_) : 0);
    for (const std::vector<double>* wealth : {&first_, &wealth_}) {
      if (ranks.is_first()) std::ranges::copy(*wealth, all.begin());
      ranks.collect(begins_, wealth->data(), all.data());
      ranks.answer(bytes_of(all));
    }
  }

 private:
  /// A period of a chunk's households, and their sum. Returns how many choices were clipped.
  template <bool seventh>
  MACROBENCH_ALWAYS_INLINE std::int64_t advance(const Lines& lines, int c, int t) {
    const std::uint8_t* bits = bits_.data() + static_cast<std::size_t>(t) * stride_;
    const int end = end_of(c) - begin_;
    Words outside{};
    Lanes sums{};
    int i = begin_of(c) - begin_;
    for (; i + lanes <= end; i += lanes) {
      Lanes k;
      std::memcpy(&k, wealth_.data() + i, sizeof k);
      lines.choose<seventh, true>(k, bits[i / 8], outside);
      std::memcpy(wealth_.data() + i, &k, sizeof k);
      sums += k;
    }
    if (i < end) {
      Lanes k{};
      Words of_these{};
      const auto bytes = static_cast<std::size_t>(end - i) * sizeof(double);
      std::memcpy(&k, wealth_.data() + i, bytes);
      lines.choose<seventh, true>(k, bits[i / 8], of_these);
      std::memcpy(wealth_.data() + i, &k, bytes);
      for (int l = 0; l < end - i; ++l) {
        sums[l] += k[l];
        outside[l] += of_these[l];
      }
    }
    sums_[static_cast<std::size_t>(c)] =
        ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    std::uint64_t clips = 0;
    for (int l = 0; l < lanes; ++l) clips += outside[l];
    return static_cast<std::int64_t>(clips);
  }

  void add_up(int c) {
    double sum = 0;
    for (int i = begin_of(c) - begin_; i < end_of(c) - begin_; ++i) {
      sum += wealth_[static_cast<std::size_t>(i)];
    }
    sums_[static_cast<std::size_t>(c)] = sum;
  }

  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const double of_chunk : sums_) sum += of_chunk;
    return sum / N_;
  }

  [[nodiscard]] int begin_of(int c) const { return std::min(c * chunk_, N_); }
  [[nodiscard]] int end_of(int c) const { return begin_of(c + 1); }

  Grids grids_;
  int N_, chunk_, moves_;
  std::vector<std::uint8_t> states_;  ///< the aggregate state, shape T
  std::vector<double> sums_;          ///< of wealth, by chunk of the whole panel
  std::vector<std::size_t> chunks_;   ///< where each rank's chunks begin
  int first_chunk_, end_chunk_;       ///< this rank's chunks
  int begin_, end_;                   ///< and its households
  std::vector<std::size_t> begins_;   ///< where each rank's households begin
  std::vector<double> of_set_up_, first_, wealth_;
  std::size_t stride_ = 0;          ///< bytes of a period
  std::vector<std::uint8_t> bits_;  ///< employment of these households, shape T x stride
  std::vector<double> K_;           ///< shape T
  Clips clips_;                     ///< `k` of these households alone
};

void serve(mpi::Ranks& ranks) {
  std::optional<PanelShare> share;
  std::vector<char> bytes;
  while (ranks.next(bytes)) {
    Reader reader(bytes);
    PanelRequest request;
    reader.read(&request, 1);
    if (request.layout != PanelRequest{}.layout) {
      throw std::runtime_error("macrobench speaks otherwise than its worker: build both again");
    }
    if (request.order == Order::set_up) share.emplace(request, reader, ranks);
    if (!share) throw std::runtime_error("the ranks were not set up");
    if (request.order == Order::begin) share->begin();
    if (request.order == Order::keep_last) share->keep_last();
    if (request.order == Order::simulate) {
      std::vector<double> policy(reader.left() / sizeof(double));
      reader.read(policy.data(), policy.size());
      share->simulate(policy, ranks);
    }
    ranks.finish();
    if (request.order == Order::simulate) share->answer_simulation(ranks);
    if (request.order == Order::hand_over) share->hand_over(ranks);
  }
}

}  // namespace

}  // namespace macrobench::krusell_smith

int main(int argc, char** argv) {
  return macrobench::mpi::serve_with(argc, argv, macrobench::krusell_smith::serve);
}
