#pragma once

// The devices that divide one solution, each driven by a thread of its own: GPUs (gpus.cuh), or
// whatever a test makes of them.

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "implementations/numerics/parallel/share.hpp"

namespace macrobench::numerics {

/// A matrix of which every device has a copy in its memory. Each computes the same columns of every
/// row, from begin(columns) to end(columns), and gets the others from their owners.
struct DividedMatrix {
  void* mine = nullptr;               ///< this device's copy, row by row
  std::size_t rows = 0, columns = 0;  ///< of the whole
  std::size_t size = 0;               ///< bytes of an element
  std::vector<void*> of_others = {};  ///< every device's copy, where it can be reached
};

/// One of the devices, as its thread sees it.
class Device {
 public:
  Device(std::size_t index, std::size_t count) : index_(index), count_(count) {}
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] std::size_t index() const { return index_; }  ///< from 0
  [[nodiscard]] std::size_t count() const { return count_; }  ///< of all devices
  [[nodiscard]] bool is_first() const { return index_ == 0; }

  /// The first of `elements` places that is this device's; end() is the next one's first.
  [[nodiscard]] std::size_t begin(std::size_t elements) const {
    return begin_of_share(elements, count_, index_);
  }
  [[nodiscard]] std::size_t end(std::size_t elements) const {
    return begin_of_share(elements, count_, index_ + 1);
  }

  // All devices call these, in the same order.

  /// Waits for all devices; the first then calls the function, and all go on.
  virtual void together(const std::function<void()>& function) { function(); }
  /// The largest of the devices' numbers. None is negative; NaN is larger than all others.
  virtual double largest(double value) { return value; }
  /// Makes an array in this device's memory its copy of a matrix.
  virtual DividedMatrix divide(void* mine, std::size_t rows, std::size_t columns,
                               std::size_t size) {
    return {mine, rows, columns, size, {}};
  }
  /// Each device gets all columns of the others, after what it has already been given to do.
  /// Complete once all devices have called wait().
  virtual void exchange(const DividedMatrix& /*matrix*/) {}
  /// Returns when this device has done everything. `what` continues "CUDA failed while".
  virtual void wait(const char* /*what*/) {}

 private:
  std::size_t index_, count_;
};

/// All of them.
class Devices {
 public:
  Devices() = default;
  virtual ~Devices() = default;
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;

  [[nodiscard]] virtual std::size_t count() const = 0;
  /// Calls the function for each device, and waits for them.
  virtual void each(const std::function<void(Device&)>& function) = 0;
  /// Seconds that the exchanges since the last call took, by the clock of the first device; none if
  /// there is nothing to exchange.
  virtual std::optional<double> take_exchange_seconds() { return std::nullopt; }
};

/// Tells the stages how long the exchanges took, all of them in the stage that is entered now.
template <class Stages>
void tell_exchange(Devices& devices, Stages& stages) {
  if (const auto seconds = devices.take_exchange_seconds()) stages.took("exchange", *seconds);
}

}  // namespace macrobench::numerics
