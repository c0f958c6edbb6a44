// The tutorial's cpu_lifecycle_multicore: separate processes divide the states of an age, in one
// array that they share. Start-up forks them, as the tutorial's addprocs starts its workers; a
// solution gives them one age after the other and waits for all of them in between, as @sync
// @distributed does. As in the tutorial, the process that waits has no share, and there may be more
// than there are cores.

#include <fmt/format.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "implementations/lifecycle/solver.hpp"
#include "implementations/numerics/parallel/share.hpp"

namespace macrobench::lifecycle {

namespace {

/// Memory that processes share which are forked later.
template <class T>
class Shared {
 public:
  explicit Shared(std::size_t count)
      : bytes_(count * sizeof(T)),
        memory_(
            ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~Shared() { ::munmap(memory_, bytes_); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  [[nodiscard]] T* data() const { return static_cast<T*>(memory_); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  void* memory_;
};

/// V at the states from `begin` up to `end`. It is a separate function because within the rest
/// of a solution g++ has no register left for the expectation.
template <class Real, class Number>
[[gnu::noinline]] void find_values(const Household<Real, Number>& household, int begin, int end,
                                   const Real* next, Real* V) {
  for (int state = begin; state < end; ++state) {
    Real expected = 0;
    V[state] = household.value(state % household.nx, state / household.nx, next, expected);
  }
}

/// The processes of one problem, which end with this one.
template <class Real>
class Workers {
 public:
  template <class Number>
  Workers(const Problem& problem, const Grids<Number>& grids)
      : count_(static_cast<std::size_t>(problem.processes)),
        semaphores_(1 + count_),
        V_(problem.states() * static_cast<std::size_t>(problem.T)) {
    poison();
    for (std::size_t i = 0; i <= count_; ++i) ::sem_init(semaphores_.data() + i, 1, 0);
    const pid_t parent = ::getpid();
    children_.reserve(count_);
    for (std::size_t index = 0; index < count_; ++index) {
      const pid_t child = ::fork();
      if (child == 0) {
        // The parent is the thread that forks: start() runs on the main one.
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() == parent) serve(problem, grids, index);
        ::_exit(1);
      }
      if (child < 0) {
        const int why = errno;
        end();
        throw std::system_error(why, std::generic_category(), "no further process");
      }
      children_.push_back(child);
    }
  }
  ~Workers() { end(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void solve(const Problem& problem, Stages& stages, std::vector<Real>& V) {
    if (children_.size() != static_cast<std::size_t>(problem.processes) ||
        V.size() * sizeof(Real) != V_.bytes()) {
      throw std::logic_error("the processes were not started for this problem");
    }
    for (int age = problem.T; age >= 1; --age) {
      stages.enter(stage_of(age, problem.T));
      for (std::size_t i = 0; i < count_; ++i) ::sem_post(may_go(i));
      for (std::size_t i = 0; i < count_; ++i) wait_for_one();
    }
    stages.finish();
    std::memcpy(V.data(), V_.data(), V_.bytes());
    poison();
  }

 private:
  [[nodiscard]] sem_t* done() const { return semaphores_.data(); }
  [[nodiscard]] sem_t* may_go(std::size_t index) const { return semaphores_.data() + 1 + index; }

  /// All bits set are a NaN.
  void poison() const { std::memset(V_.data(), 0xff, V_.bytes()); }

  /// The life of a process: its share of one age after the other, solution after solution. Threads
  /// of its parent, and what they held, are not there to be waited for: it only computes.
  template <class Number>
  [[noreturn]] void serve(const Problem& problem, const Grids<Number>& grids,
                          std::size_t index) const noexcept {
    const Household<Real, Number> household =
        make_household(problem, grids.x.data(), grids.e.data(), grids.P.data(),
                       -std::numeric_limits<Real>::infinity());
    const std::size_t states = problem.states();
    const auto begin = static_cast<int>(numerics::begin_of_share(states, count_, index));
    const auto end = static_cast<int>(numerics::begin_of_share(states, count_, index + 1));
    while (true) {
      const Real* next = nullptr;
      for (int age = problem.T; age >= 1; --age) {
        while (::sem_wait(may_go(index)) != 0) continue;
        Real* const V = V_.data() + static_cast<std::size_t>(age - 1) * states;
        find_values(household, begin, end, next, V);
        next = V;
        ::sem_post(done());
      }
    }
  }

  /// Returns when one more is done. Throws if one has ended instead, and ends the others.
  void wait_for_one() {
    while (true) {
      timespec until{};
      ::clock_gettime(CLOCK_MONOTONIC, &until);
      ++until.tv_sec;
      if (::sem_clockwait(done(), CLOCK_MONOTONIC, &until) == 0) return;
      for (const pid_t child : children_) {
        siginfo_t its{};
        const int failed =
            ::waitid(P_PID, static_cast<id_t>(child), &its, WEXITED | WNOHANG | WNOWAIT);
        if (failed == 0 && its.si_pid == 0) continue;
        end();
        throw std::runtime_error(fmt::format("one of {} processes ended ({} {})", count_,
                                             its.si_code == CLD_EXITED ? "exit code" : "signal",
                                             its.si_status));
      }
    }
  }

  void end() {
    for (const pid_t child : children_) ::kill(child, SIGKILL);
    for (const pid_t child : children_) {
      while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
    }
    children_.clear();
  }

  std::size_t count_;
  Shared<sem_t> semaphores_;
  Shared<Real> V_;  ///< as a solution's
  std::vector<pid_t> children_;
};

/// Those that were started last.
template <class Real>
std::unique_ptr<Workers<Real>> workers;

template <class Real>
void start_workers(const Problem& problem) {
  with_grids<Real>(problem, [&](const auto& grids) {
    workers<Real> = std::make_unique<Workers<Real>>(problem, grids);
  });
}

void start(const Problem& problem) {
  // An earlier start's must not share the cores with these.
  workers<float>.reset();
  workers<double>.reset();
  problem.single ? start_workers<float>(problem) : start_workers<double>(problem);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  if (workers<Real> == nullptr) throw std::logic_error("the processes were not started");
  workers<Real>->solve(problem, stages, solution.V);
}

const RegisterSolver registered{{.name = "processes",
                                 .origin = Origin::published,
                                 .summary = "C++, processes divide the states of an age",
                                 .axes = {{"processes"}},
                                 .runs_on = RunsOn::other_processes,
                                 .start = start,
                                 .solve_single = solve<float>,
                                 .solve_double = solve<double>,
                                 .hooks = {.floor = floor_of_every_choice},
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::lifecycle
