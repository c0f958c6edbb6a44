#include "harness/records/reason.hpp"

#include <gtest/gtest.h>

#include <string>

namespace macrobench {
namespace {

TEST(Reason, IsReadFromOneTextAndGivesItBack) {
  const auto is = [](const char* text, const char* clause, const char* detail) {
    const Reason reason = reason_from(text);
    EXPECT_EQ(reason.clause, clause) << text;
    EXPECT_EQ(reason.detail, detail) << text;
    EXPECT_EQ(to_string(reason), text);
  };
  is("", "", "");
  is("no GPU here", "no GPU here", "");
  is("over the budget (predicted 3 h)", "over the budget", "predicted 3 h");
  is("A (as B) (like (C))", "A (as B)", "like (C)");
  is("killed (signal 9), as the kernel does when memory runs out",
     "killed (signal 9), as the kernel does when memory runs out", "");
  is("broken)", "broken)", "");
  is("(all of it)", "(all of it)", "");
  is("a ()", "a ()", "");
  is(")( (", ")( (", "");
  is("f(x)", "f(x)", "");
}

TEST(Reason, IsTheSameWhereClauseAndDetailAre) {
  EXPECT_EQ(Reason("no GPU here"), "no GPU here");
  EXPECT_NE(Reason("over the budget", "predicted 3 h"), Reason("over the budget"));
  EXPECT_TRUE(Reason().empty());
}

TEST(Reason, HasTheKindOfItsClause) {
  for (const auto kind :
       {Reason::Kind::over_budget, Reason::Kind::no_record, Reason::Kind::status_contradicted}) {
    const Reason reason(kind, "predicted 3 h");
    EXPECT_EQ(reason_from(to_string(reason)), reason);
    EXPECT_EQ(reason.kind, kind);
  }
  EXPECT_EQ(Reason("over the budget of 3 h").kind, Reason::Kind::only_shown);
}

}  // namespace
}  // namespace macrobench
