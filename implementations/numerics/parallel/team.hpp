#pragma once

// One function on several devices, each driven by a host thread of its own.

#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace macrobench::numerics {

/// What a member of a team throws from together() because another one has failed.
struct Abandoned : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "another device failed"; }
};

/// Threads that do the same function, each for its own share.
class Team {
 public:
  /// One of them. Only its own thread uses it.
  class Member {
   public:
    [[nodiscard]] int index() const { return index_; }  ///< from 0
    [[nodiscard]] bool is_first() const { return index_ == 0; }

    /// Waits for all; the first member calls the function, and then all go on. Throws Abandoned if
    /// another member has failed.
    template <class Function>
    void together(const Function& function) {
      team_->meet();
      if (is_first()) function();
      team_->meet();
    }

   private:
    friend class Team;
    Member(Team* team, int index) : team_(team), index_(index) {}

    Team* team_;
    int index_;
  };

  /// `size` of at least 1.
  explicit Team(int size) : size_(size) {}

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(size_); }

  /// Calls function(member) for all members, the first of them in this thread, and waits for them.
  /// Throws what the first of those that failed threw.
  template <class Function>
  void each(const Function& function) {
    arrived_ = 0;
    is_abandoned_ = false;
    std::vector<std::exception_ptr> failures(size());
    std::vector<std::exception_ptr> consequences(size());
    const auto run = [&](int index) {
      const auto at = static_cast<std::size_t>(index);
      try {
        Member member(this, index);
        function(member);
        return;
      } catch (const Abandoned&) {
        consequences[at] = std::current_exception();
      } catch (...) {
        failures[at] = std::current_exception();
      }
      is_abandoned_ = true;
    };
    {
      std::vector<std::jthread> others;
      try {
        for (int index = 1; index < size_; ++index) others.emplace_back(run, index);
      } catch (...) {
        is_abandoned_ = true;  // or those that did start would wait for ever
        throw;
      }
      run(0);
    }
    for (const auto* all : {&failures, &consequences}) {
      for (const std::exception_ptr& one : *all) {
        if (one != nullptr) std::rethrow_exception(one);
      }
    }
  }

 private:
  /// Returns once all members are here. It polls: a device's next work waits for it.
  void meet() {
    if (size_ == 1) return;
    const int round = round_.load();
    if (arrived_.fetch_add(1) + 1 == size_) {
      arrived_ = 0;
      ++round_;
      return;
    }
    while (round_.load() == round) {
      if (is_abandoned_) throw Abandoned();
      std::this_thread::yield();
    }
  }

  int size_;
  std::atomic<int> arrived_ = 0;
  std::atomic<int> round_ = 0;  ///< meetings so far
  std::atomic<bool> is_abandoned_ = false;
};

}  // namespace macrobench::numerics
