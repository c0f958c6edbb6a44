#pragma once

// Several devices that are threads of the processor: how a solver divides its work can be tested
// without a GPU.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "implementations/numerics/parallel/devices.hpp"
#include "implementations/numerics/parallel/team.hpp"

namespace macrobench {

class HostDevices final : public numerics::Devices {
 public:
  explicit HostDevices(int count)
      : count_(static_cast<std::size_t>(count)), team_(count), said_(count_), copies_(count_) {}

  [[nodiscard]] std::size_t count() const override { return count_; }

  void each(const std::function<void(numerics::Device&)>& function) override {
    team_.each([&](numerics::Team::Member& member) {
      OneOfThem device(*this, member);
      function(device);
    });
  }

 private:
  class OneOfThem final : public numerics::Device {
   public:
    OneOfThem(HostDevices& all, numerics::Team::Member& member)
        : Device(static_cast<std::size_t>(member.index()), all.count_),
          all_(all),
          member_(member) {}

    void together(const std::function<void()>& function) override { member_.together(function); }

    double largest(double value) override {
      all_.said_[index()] = value;
      double largest = 0;
      member_.together([] {});
      for (const double one : all_.said_) {
        if (std::isnan(one) || one > largest) largest = one;
        if (std::isnan(largest)) break;
      }
      member_.together([] {});
      return largest;
    }

    numerics::DividedMatrix divide(void* mine, std::size_t rows, std::size_t columns,
                                   std::size_t size) override {
      all_.copies_[index()] = mine;
      member_.together([] {});
      numerics::DividedMatrix matrix{mine, rows, columns, size, all_.copies_};
      member_.together([] {});
      return matrix;
    }

    void exchange(const numerics::DividedMatrix& matrix) override {
      const std::size_t first = begin(matrix.columns) * matrix.size;
      const std::size_t width = end(matrix.columns) * matrix.size - first;
      for (std::size_t row = 0; row < matrix.rows; ++row) {
        const std::size_t place = row * matrix.columns * matrix.size + first;
        for (void* copy : matrix.of_others) {
          if (copy == matrix.mine) continue;
          std::memcpy(static_cast<char*>(copy) + place,
                      static_cast<const char*>(matrix.mine) + place, width);
        }
      }
    }

   private:
    HostDevices& all_;
    numerics::Team::Member& member_;
  };

  std::size_t count_;
  numerics::Team team_;
  std::vector<double> said_;
  std::vector<void*> copies_;
};

}  // namespace macrobench
