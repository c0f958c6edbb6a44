// The MPI processes behind processes.cpp: mpirun starts this program P times.
// The tutorial's @sync @distributed: each process computes V at its part of an age's states, and
// receives all of V before the next age.

#include <mpi.h>
#include <sys/prctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "implementations/lifecycle/processes/protocol.hpp"

namespace macrobench::lifecycle {

namespace {

/// Reads this much from standard input; false at its end.
bool read_all(void* to, std::size_t size) {
  auto* bytes = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = ::read(STDIN_FILENO, bytes, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

void write_all(const void* from, std::size_t size) {
  const auto* bytes = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw std::runtime_error("nobody takes the answer");
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

/// The processes that were started together, and this one's place among them.
class Ranks {
 public:
  Ranks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
  }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(rank_); }
  [[nodiscard]] bool first() const { return rank_ == 0; }

  /// Only the first process writes.
  void say(Signal signal) const {
    if (first()) write_all(&signal, 1);
  }

  /// The next request to the first process, sent to all; false when there are no more.
  bool next(Request& request) const {
    if (first() && !read_all(&request, sizeof request)) request.layout = 0;
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Ibcast(&request, sizeof request, MPI_BYTE, 0, MPI_COMM_WORLD, &sent);
    // MPI's own waiting would take a core away from the check of the last solution.
    for (int here = 0;;) {
      MPI_Request_get_status(sent, &here, MPI_STATUS_IGNORE);
      if (here != 0) break;
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    if (request.layout == 0) return false;
    if (request.layout != Request::this_layout) {
      throw std::runtime_error("the program speaks otherwise than its worker: build both again");
    }
    return true;
  }

  /// Gathers the values of each process, from where its part begins, at all processes.
  template <class Real>
  void gather(const std::vector<int>& begins, Real* values) const {
    std::vector<int> counts;
    for (std::size_t r = 0; r + 1 < begins.size(); ++r) counts.push_back(begins[r + 1] - begins[r]);
    const MPI_Datatype type = std::is_same_v<Real, float> ? MPI_FLOAT : MPI_DOUBLE;
    MPI_Allgatherv(MPI_IN_PLACE, 0, type, values, counts.data(), begins.data(), type,
                   MPI_COMM_WORLD);
  }

 private:
  int rank_ = 0;
  int count_ = 1;
};

/// Where each process's states begin, and where the last one's end.
std::vector<int> shares(std::size_t states, int processes) {
  std::vector<int> begins;
  for (int rank = 0; rank <= processes; ++rank) {
    begins.push_back(static_cast<int>(states * static_cast<std::size_t>(rank) /
                                      static_cast<std::size_t>(processes)));
  }
  return begins;
}

/// V at the states from `begin` up to `end`. It is a separate function because within the rest
/// of a solution g++ has no register left for the expectation.
template <class Real>
[[gnu::noinline]] void find_values(const Household<Real>& household, int begin, int end,
                                   const Real* next, Real* V) {
  for (int state = begin; state < end; ++state) {
    Real expected = 0;
    V[state] = household.value(state % household.nx, state / household.nx, next, expected);
  }
}

template <class Real>
void solve(const Problem& problem, const Ranks& ranks) {
  const Grids grids = make_grids(problem);
  const Household<Real> household =
      make_household(problem, grids.x.data(), grids.e.data(), grids.P.data(),
                     -std::numeric_limits<Real>::infinity());
  const std::size_t states = problem.states();
  const std::vector<int> begins = shares(states, ranks.count());

  // The first process answers with all ages, the others need two at a time.
  const int ages = ranks.first() ? problem.T : 2;
  std::vector<Real> V_of_ages(states * static_cast<std::size_t>(ages),
                              std::numeric_limits<Real>::quiet_NaN());
  const Real* next = nullptr;
  for (int age = problem.T; age >= 1; --age) {
    ranks.say(Signal::age);
    Real* V = V_of_ages.data() + static_cast<std::size_t>((age - 1) % ages) * states;
    find_values(household, begins[ranks.rank()], begins[ranks.rank() + 1], next, V);
    ranks.gather(begins, V);
    next = V;
  }
  ranks.say(Signal::solved);
  if (ranks.first()) write_all(V_of_ages.data(), V_of_ages.size() * sizeof(Real));
}

void serve(int processes) {
  const Ranks ranks;
  if (ranks.count() != processes) {
    throw std::runtime_error(
        "mpirun started them one by one: it belongs to another MPI than this build's");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  ranks.say(Signal::ready);
  Request request;
  while (ranks.next(request)) {
    if (request.single) {
      solve<float>(request.problem, ranks);
    } else {
      solve<double>(request.problem, ranks);
    }
  }
}

/// Some mpiruns give rank 0 a terminal to write to, and terminals change the bytes.
void pass_bytes_unchanged() {
  termios terminal{};
  if (::tcgetattr(STDOUT_FILENO, &terminal) != 0) return;
  ::cfmakeraw(&terminal);
  ::tcsetattr(STDOUT_FILENO, TCSANOW, &terminal);
}

}  // namespace

}  // namespace macrobench::lifecycle

int main(int argc, char** argv) {
  // A process in the middle of an age would outlive an mpirun that is killed.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  MPI_Init(&argc, &argv);
  try {
    macrobench::lifecycle::pass_bytes_unchanged();
    macrobench::lifecycle::serve(argc > 1 ? std::atoi(argv[1]) : 1);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  MPI_Finalize();
}
