#pragma once

// GoogleTest and GoogleMock, with the matchers that most tests use under their short names.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/text/error.hpp"

namespace macrobench {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// What the Error says that the action throws; empty if it throws none.
template <class Error = UsageError, class Action>
std::string complaint_of(Action action) {
  try {
    static_cast<void>(action());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
template <class Action>
std::string failure_of(Action action) {
  return complaint_of<Failure>(action);
}

}  // namespace macrobench
