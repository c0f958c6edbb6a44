#pragma once

// A rank's side of a solution by several MPI processes. Every rank runs the same solver on the same
// problem, works at its own share, and exchanges what the others need. All ranks enter the same
// stages in the same order; MPI's clock times them here, because macrobench's is in another
// process.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/model/stages.hpp"
#include "implementations/mpi/messages.hpp"

namespace macrobench::mpi {

class Ranks;

/// How a rank that drives a GPU gets it.
struct GpuOfARank {
  /// The UUIDs of those that this process sees, in its order.
  std::vector<std::string> (*visible)();
  /// Makes one of them this process's own, and connects it with those of the other ranks. Returns
  /// what carries between them, or nothing if there is one rank.
  std::string (*take)(int number, const Ranks& ranks);
};

/// The ranks that were started together, and this one's place among them.
class Ranks final : public Stages {
 public:
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] bool is_first() const { return rank_ == 0; }
  [[nodiscard]] int threads() const { return threads_; }

  /// Where each rank's share of `size` elements begins, and where the last one's ends: shape
  /// count() + 1. The shares differ by one element at most.
  [[nodiscard]] std::vector<std::size_t> shares(std::size_t size) const;

  void enter(std::string_view stage) override;
  void took(std::string_view stage, double seconds) override;
  /// Waits for all ranks; then macrobench hears that they have solved it. What follows is not
  /// timed.
  void finish() override;

  // Collective: every rank calls them.

  /// Every rank gets the elements of all, each from where the owner's share begins.
  template <class T>
  void all_gather(const std::vector<std::size_t>& begins, T* values) const {
    static_assert(std::is_trivially_copyable_v<T>);
    gather_bytes(begins, values, sizeof(T));
  }
  /// The first rank gets the elements of all. Each gives its share; the first one's is already
  /// where it belongs.
  template <class T>
  void collect(const std::vector<std::size_t>& begins, const T* share, T* all) const {
    static_assert(std::is_trivially_copyable_v<T>);
    collect_bytes(begins, share, all, sizeof(T));
  }
  // The same for elements of `size` bytes, whose type is not known here.
  void gather_bytes(const std::vector<std::size_t>& begins, void* values, std::size_t size) const;
  void collect_bytes(const std::vector<std::size_t>& begins, const void* share, void* all,
                     std::size_t size) const;
  /// The largest of the ranks' numbers. None is negative; NaN is larger than all others.
  [[nodiscard]] double largest(double value) const;
  /// The sum of whole numbers.
  [[nodiscard]] std::int64_t sum(std::int64_t value) const;
  /// Every rank gets the first one's bytes.
  void broadcast(void* bytes, std::size_t size) const;
  /// The words of every rank, in their order.
  [[nodiscard]] std::vector<std::string> words_of_all(const std::string& mine) const;

  /// Macrobench's next request, at every rank; false when there are no more. The ranks sleep while
  /// they wait, so that they take no core from the check of the last solution.
  bool next(std::vector<char>& request);

  /// The first rank adds these bytes to the solution that macrobench gets before the next request;
  /// the others do nothing.
  void answer(std::string_view array);

 private:
  friend int serve_with(int argc, char** argv, void (*serve)(Ranks&), const GpuOfARank* gpu);
  Ranks(std::filesystem::path folder, int threads, bool has_own_cores, const GpuOfARank* gpu);

  std::vector<char> read_request();
  [[nodiscard]] std::string no_folder() const;
  /// Of a stage of this name, a new one if there is none.
  std::size_t place_of(std::string_view stage);
  void close_stage();

  std::filesystem::path folder_;  ///< for what is too large for a message
  std::ifstream arrays_;
  std::ofstream solution_;
  std::size_t answered_ = 0;  ///< bytes of it
  int rank_ = 0;
  int count_ = 1;
  int threads_ = 1;
  std::vector<std::pair<std::string, double>> stages_;  ///< seconds of this rank
  std::optional<std::size_t> current_;                  ///< none before the first
  double stage_begin_ = 0;
  bool finished_ = true;
};

/// The worker's main(): checks the ranks, says where they are, and calls `serve`, which takes one
/// request after the other. What that throws, a rank says before all ranks end. With `gpu` each
/// rank takes a GPU first.
int serve_with(int argc, char** argv, void (*serve)(Ranks&), const GpuOfARank* gpu = nullptr);

/// A rank's solver. The first rank's solution is the answer.
template <class Problem, class Solution>
using SolveByRanks = void (*)(const Problem& problem, Ranks& ranks, Solution& solution);

template <class Problem, class Solution>
void solve_and_answer(const Problem& problem, Ranks& ranks, SolveByRanks<Problem, Solution> solve) {
  Solution solution;
  solve(problem, ranks, solution);
  ranks.finish();
  auto visit = [&](const char*, auto& array, const Shape& = {}) { ranks.answer(bytes_of(array)); };
  Solution::each_array(problem, solution, visit);
}

/// Serves requests for solutions of one model. `single` may be null.
template <class Problem, class Single, class Double>
void serve(Ranks& ranks, SolveByRanks<Problem, Single> solve_single,
           SolveByRanks<Problem, Double> solve_double) {
  std::vector<char> bytes;
  while (ranks.next(bytes)) {
    Request<Problem> request;
    if (bytes.size() == sizeof request) std::memcpy(&request, bytes.data(), sizeof request);
    if (bytes.size() != sizeof request || request.layout != sizeof(Problem)) {
      throw std::runtime_error("macrobench speaks otherwise than its worker: build both again");
    }
    if (request.single && solve_single != nullptr) {
      solve_and_answer(request.problem, ranks, solve_single);
    } else {
      solve_and_answer(request.problem, ranks, solve_double);
    }
  }
}

}  // namespace macrobench::mpi
