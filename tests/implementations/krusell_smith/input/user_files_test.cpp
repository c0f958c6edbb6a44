// Shocks, aggregate states and wealth that users bring.

#include "implementations/krusell_smith/input/user_files.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/run/stage_clock.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench::krusell_smith {
namespace {

constexpr int N = 77;
constexpr int T = 120;

class UserFiles : public ::testing::Test {
 protected:
  /// A file's path.
  std::string written(const std::string& name, const std::string& content) {
    const std::string path = (folder_.path() / name).string();
    write_file(path, content);
    return path;
  }

  static Case a_case(const Parameters& given, const std::string& implementation = "cpu") {
    Parameters all = {{"N", std::int64_t{N}}, {"T", std::int64_t{T}},     {"nk", 12},
                      {"burn_in", 20},        {"stage", "panel"},         {"K_min", 1.0},
                      {"K_max", 200.0},       {"policy_tolerance", 1e-7}, {"accuracy_periods", 0}};
    for (const auto& [name, value] : given) all.set(name, value);
    const Implementation& chosen =
        Registry::global().implementation("krusell_smith/" + implementation);
    return Registry::global().make_case(chosen.id(), only_taken(chosen, all), 1);
  }

  static std::string complaint(const Parameters& given, const std::string& implementation = "cpu") {
    return complaint_of([&] { return a_case(given, implementation); });
  }

  struct Solved {
    Outcome outcome;
    std::string fingerprint;
  };
  static Solved solve(const Case& which) {
    const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
    instance->start();
    instance->poison();
    StageClock clock;
    instance->solve(clock);
    return {instance->check(true), instance->fingerprint()};
  }

  /// Drawn shocks as files.
  static std::string bits_of(const Shocks& shocks) {
    std::string bytes;
    for (int t = 0; t < shocks.T; ++t) {
      const auto words = static_cast<std::size_t>(shocks.N + 31) / 32;
      bytes.append(reinterpret_cast<const char*>(shocks.row(t)), 4 * words);
    }
    return bytes;
  }
  static std::string states_of(const Shocks& shocks) {
    std::string text = "# a comment\n\n";
    for (int t = 0; t < shocks.T; ++t) text += shocks.a(t) == good ? "good\n" : "bad # so\n";
    return text;
  }
  static Shocks drawn() {
    Problem problem;
    problem.N = N;
    problem.T = T;
    return draw_shocks(problem);
  }

  TemporaryFolder folder_;
};

TEST_F(UserFiles, HoldingTheDrawnShocksGiveTheSameBits) {
  const Shocks shocks = drawn();
  const Value bits = written("shocks with a space", bits_of(shocks));
  const Value states = written("aggregate", states_of(shocks));
  for (const char* implementation : {"cpu", "frontier"}) {
    const Solved by_seed = solve(a_case({}, implementation));
    const Case which = a_case({{"shocks", bits}, {"aggregate", states}}, implementation);
    const Solved by_file = solve(which);
    EXPECT_TRUE(by_file.outcome.valid) << by_file.outcome.why;
    EXPECT_EQ(by_file.fingerprint, by_seed.fingerprint) << implementation;
    EXPECT_THAT(which.key(), HasSubstr("shocks='shocks with a space@"));
  }
  const Solved histogram = solve(a_case({{"aggregate", states}}, "histogram"));
  EXPECT_TRUE(histogram.outcome.valid) << histogram.outcome.why;
  EXPECT_EQ(histogram.fingerprint, solve(a_case({}, "histogram")).fingerprint);
}

/// What a device draws while it needs it is what the host draws.
TEST_F(UserFiles, OnAGpuHoldTheSameBitsToo) {
  const Implementation* implementation = Registry::global().find("krusell_smith/frontier_cuda");
  if (implementation == nullptr) GTEST_SKIP() << "a build without CUDA";
  if (const std::string why = implementation->unavailable(); !why.empty()) GTEST_SKIP() << why;
  // In registers, once and four times; streamed, with whole tiles and with a rest.
  for (const int agents : {77, 30'011, 131'072, 131'203}) {
    Problem problem;
    problem.N = agents;
    problem.T = T;
    const Shocks shocks = draw_shocks(problem);
    for (const char* real : {"double", "single"}) {
      Parameters given = {{"N", std::int64_t{agents}}, {"real", real}};
      const Solved by_seed = solve(a_case(given, "frontier_cuda"));
      EXPECT_TRUE(by_seed.outcome.valid) << by_seed.outcome.why;
      given.set("shocks", written("shocks", bits_of(shocks)));
      given.set("aggregate", written("aggregate", states_of(shocks)));
      const Solved by_file = solve(a_case(given, "frontier_cuda"));
      EXPECT_EQ(by_file.fingerprint, by_seed.fingerprint) << agents << ", " << real;
    }
  }
}

TEST_F(UserFiles, OfOtherShocksGiveOthers) {
  Shocks shocks = drawn();
  const Solved by_seed = solve(a_case({}));
  for (std::uint8_t& byte : shocks.bits) byte = 0;  // nobody works
  const Value nobody = written("shocks", bits_of(shocks));
  const Value states = written("aggregate", states_of(shocks));
  const Solved poor = solve(a_case({{"shocks", nobody}, {"aggregate", states}}));
  EXPECT_TRUE(poor.outcome.valid) << poor.outcome.why;
  EXPECT_LT(poor.outcome.figures.at("wealth_mean"), by_seed.outcome.figures.at("wealth_mean"));

  // The same name, another content: nothing that was kept of the first is taken for it.
  written("shocks", bits_of(drawn()));
  EXPECT_EQ(solve(a_case({{"shocks", nobody}, {"aggregate", states}})).fingerprint,
            by_seed.fingerprint);

  std::string all_good;
  for (int t = 0; t < T; ++t) all_good += "1\n";
  const Value good_states = written("good", all_good);
  const Solved boom = solve(a_case({{"aggregate", good_states}}, "histogram"));
  EXPECT_TRUE(boom.outcome.valid) << boom.outcome.why;
  EXPECT_GT(boom.outcome.figures.at("K_mean"),
            solve(a_case({}, "histogram")).outcome.figures.at("K_mean"));
}

TEST_F(UserFiles, ReachTheWholeSolution) {
  const Shocks shocks = drawn();
  const Parameters whole = {
      {"stage", "all"}, {"policy", "euler"}, {"tolerance", 1.0}, {"K_min", 10.0}, {"nk", 40}};
  Parameters by_file = whole;
  by_file.set("shocks", written("shocks", bits_of(shocks)));
  by_file.set("aggregate", written("aggregate", states_of(shocks)));
  by_file.set("accuracy_periods", std::int64_t{50});
  const Solved solved = solve(a_case(by_file));
  EXPECT_EQ(solved.fingerprint, solve(a_case(whole)).fingerprint);
  EXPECT_EQ(solved.outcome.figures.count("euler_error_mean"), 1U)
      << "on fresh shocks: " << solved.outcome.why;
}

TEST_F(UserFiles, OfShocksHaveExactlyTheirSize) {
  const Shocks shocks = drawn();
  const std::string bits = bits_of(shocks);
  const Value states = written("aggregate", states_of(shocks));
  const auto said = [&](const std::string& content) {
    return complaint({{"shocks", written("shocks", content)}, {"aggregate", states}});
  };
  EXPECT_EQ(said(bits), "");
  EXPECT_THAT(said(bits.substr(0, 1439)),
              EndsWith("its 1439 bytes are 1 short of the 1440 of T = 120 rows of N = 77 bits in "
                       "whole words of 32"));
  EXPECT_THAT(said(bits + "\n"), EndsWith("its 1441 bytes are 1 more than the 1440 of T = 120 rows "
                                          "of N = 77 bits in whole words of 32"));
  EXPECT_THAT(said(bits.substr(0, 1188)), EndsWith("; it would fit T = 99"));
  EXPECT_THAT(said(bits + bits), EndsWith("; it would fit T = 240, or N = 161 to 192"));
  EXPECT_THAT(said(""), HasSubstr("its 0 bytes are 1440 short"));
  std::string padded = bits;
  padded[2 * 12 + 11] = 4;
  EXPECT_THAT(said(padded), EndsWith("row 3 has bits beyond those of N = 77 agents; the rest "
                                     "of its last word must be 0"));
}

TEST_F(UserFiles, OfShocksHaveEitherOrderOfBitsAndStates) {
  const Shocks shocks = drawn();
  std::string bytes;  // whole bytes, the lowest bit first
  std::string from_1;
  std::string good_first;
  for (int t = 0; t < T; ++t) {
    for (int first = 0; first < N; first += 8) {
      int byte = 0;
      for (int i = first; i < std::min(first + 8, N); ++i) {
        byte |= shocks.employment(i, t) << (i - first);
      }
      bytes += static_cast<char>(byte);
    }
    from_1 += shocks.a(t) == good ? "2\n" : "1\n";
    good_first += shocks.a(t) == good ? "0\n" : "1\n";
  }
  const std::string drawn_bits = solve(a_case({})).fingerprint;
  Parameters given{{"shocks", written("shocks", bytes)},
                   {"aggregate", written("from 1", from_1)},
                   {"shock_bits", "lowest_first"}};
  EXPECT_EQ(solve(a_case(given)).fingerprint, drawn_bits);
  given.set("aggregate", written("good first", good_first));
  given.set("lower_state", "good");
  EXPECT_EQ(solve(a_case(given)).fingerprint, drawn_bits);
  EXPECT_THAT(complaint(given.without({"shock_bits"})), HasSubstr("row 1 has bits beyond"));
  given.set("aggregate", written("three", "0\n1\n2\n"));
  EXPECT_THAT(complaint(given), EndsWith("line 1: a 0, where other lines have a 2"));
}

TEST_F(UserFiles, OfShocksAndStatesBelongTogether) {
  const Shocks shocks = drawn();
  const std::string bits = written("shocks", bits_of(shocks));
  const std::string states = written("aggregate", states_of(shocks));
  EXPECT_EQ(complaint({{"shocks", bits}}),
            "shocks = " + bits +
                ": --aggregate is missing; agents' shocks and the aggregate "
                "states belong together");
  EXPECT_THAT(complaint({{"aggregate", states}}), HasSubstr("--shocks is missing"));
  EXPECT_EQ(complaint({{"aggregate", states}}, "histogram"), "");
}

TEST_F(UserFiles, OfStatesAreReadLineByLine) {
  const auto said = [&](const std::string& content) {
    return complaint({{"aggregate", written("aggregate", content)}}, "histogram");
  };
  EXPECT_THAT(said("bad\ngood\nfair\n"), EndsWith("line 3: 'fair' is not bad, good, 0, 1 or 2"));
  EXPECT_THAT(said("bad good\n"), EndsWith("line 1: 'bad good' is not bad, good, 0, 1 or 2"));
  EXPECT_THAT(said("bad\r\n1\n# no more\n"), EndsWith("it has 2 states, but T = 120"));
  EXPECT_THAT(said(""), HasSubstr("it has 0 states"));
  std::string never;
  for (int t = 0; t < T; ++t) never += t < 5 ? "0\n" : "1\n";
  const Parameters stuck = {
      {"p11", 0.6}, {"p12", 0.4},     {"p13", 0.0},
      {"p14", 0.0}, {"p21", 2. / 45}, {"p22", 43. / 45},
      {"p23", 0.0}, {"p24", 0.0},     {"aggregate", written("aggregate", never)}};
  EXPECT_THAT(complaint(stuck, "histogram"),
              EndsWith("line 6: a change of state that the transition matrix rules out"));
}

TEST_F(UserFiles, OfAgentsWealthBeginThePanel) {
  Problem problem;
  std::string text = "# wealth\n";
  for (const double k : initial_wealth(N)) text += fmt::format("{}\n", k);
  const Value same = written("same", text);
  EXPECT_EQ(solve(a_case({{"wealth", same}})).fingerprint, solve(a_case({})).fingerprint);
  EXPECT_EQ(solve(a_case({{"wealth", same}}, "frontier")).fingerprint,
            solve(a_case({}, "frontier")).fingerprint);

  std::string as_elsewhere = "\xEF\xBB\xBF# wealth\r";
  for (const double k : initial_wealth(N)) as_elsewhere += fmt::format("+{:.17e}\r", k);
  std::ranges::replace(as_elsewhere, 'e', 'D');
  EXPECT_EQ(solve(a_case({{"wealth", written("elsewhere", as_elsewhere)}})).fingerprint,
            solve(a_case({})).fingerprint);

  const auto said = [&](const std::string& content, const char* implementation = "cpu") {
    return complaint({{"wealth", written("wealth", content)}}, implementation);
  };
  EXPECT_THAT(said("1\n2\n"), EndsWith("it has the wealth of 2 agents, but N = 77"));
  EXPECT_THAT(said(text + "3\n"), HasSubstr("of 78 agents"));
  EXPECT_THAT(said("1\n-2\n"),
              EndsWith("line 2: wealth of -2 is outside the grid of k, 0 to 1000"));
  EXPECT_THAT(said("1\n\n1000.5\n"), HasSubstr("line 3: wealth of 1000.5 is outside"));
  EXPECT_THAT(said("1\nnan\n"), EndsWith("line 2: 'nan' is not a number"));
  EXPECT_THAT(said("1\ninf\n"), EndsWith("line 2: 'inf' is not a number"));
  EXPECT_THAT(said("1\n2x\n"), EndsWith("line 2: '2x' is not a number"));
  EXPECT_THAT(said("1 2\n"), AllOf(HasSubstr("line 1: '1 2' is neither one agent's wealth"),
                                   HasSubstr("'k unemployed employed'")));
  EXPECT_THAT(said("# nothing\n"), EndsWith("it is empty"));
  EXPECT_THAT(said("1\n", "histogram"),
              HasSubstr("it holds agents, but this implementation needs"));
}

TEST_F(UserFiles, WithoutAnEndAreRefused) {
  const std::string sparse = written("wealth", "1\n");
  std::filesystem::resize_file(sparse, std::uintmax_t{10'000'000'000});
  EXPECT_THAT(
      complaint({{"wealth", sparse}}),
      EndsWith("it is too large: it has 10000000000 bytes, and at most 3000000000 are read"));
  const std::string zeros(100'000, '\0');
  const std::string digits(3'000'000, '1');
  for (const char* axis : {"wealth", "aggregate"}) {
    const auto said = [&](const std::string& content) {
      return complaint({{axis, written(axis, content)}}, "histogram");
    };
    EXPECT_THAT(said("1\n" + zeros), EndsWith("line 2: it has more than 4096 characters"));
    EXPECT_THAT(said(digits), EndsWith("line 1: it has more than 4096 characters"));
    EXPECT_THAT(said(digits + "\n1\n"), EndsWith("line 1: it has more than 4096 characters"));
    const std::string cut = said(std::string(4096, 'x') + "\n1\n");
    EXPECT_THAT(cut, HasSubstr("line 1: 'xxx"));
    EXPECT_LT(cut.size(), 500u);
  }
}

TEST_F(UserFiles, OfAHistogramBeginAnyPanel) {
  const std::string poor_and_rich =
      "k unemployed employed # the header\n0 .5 0\n12.5 0.5 .25\n40 0 .75\n";
  const Value wealth = written("histogram", poor_and_rich);
  Problem problem;
  problem.N = 10'000;
  problem.T = 20;
  problem.wealth = {to_string(wealth), "a"};
  const Shocks shocks = draw_shocks(problem);
  const std::vector<double> k = first_wealth(problem, shocks);
  double count[2][3] = {};
  for (int i = 0; i < problem.N; ++i) {
    const double x = k[static_cast<std::size_t>(i)];
    ASSERT_TRUE(x == 0 || x == 12.5 || x == 40) << x;
    ++count[shocks.employment(i, 0)][x == 0 ? 0 : x == 12.5 ? 1 : 2];
  }
  EXPECT_NEAR(count[unemployed][0], count[unemployed][1], 5);
  EXPECT_EQ(count[unemployed][2], 0);
  EXPECT_EQ(count[employed][0], 0);
  EXPECT_NEAR(3 * count[employed][1], count[employed][2], 15);

  const std::vector<double> mass = first_histogram(problem, shocks);
  const std::vector<double> points = histogram_points(problem);
  double share[2] = {};
  double mean[2] = {};
  for (std::size_t n = 0; n < mass.size(); ++n) {
    share[n / points.size()] += mass[n];
    mean[n / points.size()] += mass[n] * points[n % points.size()];
  }
  EXPECT_NEAR(share[unemployed], 0.1, 1e-14);
  EXPECT_NEAR(share[employed], 0.9, 1e-14);
  EXPECT_NEAR(mean[unemployed], 0.1 * 6.25, 1e-13);
  EXPECT_NEAR(mean[employed], 0.9 * 33.125, 1e-12);

  for (const char* implementation : {"cpu", "frontier", "histogram"}) {
    const Solved solved = solve(a_case({{"wealth", wealth}}, implementation));
    EXPECT_TRUE(solved.outcome.valid) << implementation << ": " << solved.outcome.why;
    EXPECT_NE(solved.fingerprint, solve(a_case({}, implementation)).fingerprint);
  }
}

/// As the Computational Suite's own.
TEST_F(UserFiles, OfAHistogramAreScaledToOneAndTheOutcomeSaysSo) {
  const auto solved = [&](const std::string& rows) {
    return solve(a_case({{"wealth", written("wealth", "k unemployed employed\n" + rows)}}));
  };
  const Solved scaled = solved("0 .499875 .4\n40 .5 .599997\n");
  EXPECT_TRUE(scaled.outcome.valid) << scaled.outcome.why;
  EXPECT_EQ(scaled.outcome.notes.at("wealth"),
            "masses scaled to 1: unemployed from 0.999875, employed from 0.999997");
  const Solved whole = solved("0 .5 .4\n40 .5 .6\n");
  EXPECT_FALSE(whole.outcome.notes.contains("wealth"));
}

TEST_F(UserFiles, OfAHistogramAreChecked) {
  const auto said = [&](const std::string& rows) {
    return complaint(
        {{"wealth", written("wealth", "# two columns\nk unemployed employed\n" + rows)}});
  };
  EXPECT_EQ(said("0 .5 1\n10 .5000005 0\n"), "");
  EXPECT_EQ(said("0 .5 1\n10 .4991 0\n"), "");
  EXPECT_THAT(said("0 .5 1\n10 .4989 0\n"),
              EndsWith("the masses of the unemployed add up to 0.9989 there, -0.0011 from 1"));
  EXPECT_THAT(said("0 .5 1\n10 .6 0\n"),
              EndsWith("line 4: the masses of the unemployed add up to 1.1 there, +0.1 from 1"));
  EXPECT_THAT(said("0 1 1\n10 0 -1\n"), EndsWith("line 4: a mass of -1 is negative"));
  EXPECT_THAT(said("0 1 .5\n"),
              EndsWith("line 3: the masses of the employed add up to 0.5 there, -0.5 from 1"));
  EXPECT_THAT(said("5 1 1\n5 0 0\n"), EndsWith("line 4: k = 5 is not above the 5 before it"));
  EXPECT_THAT(said("5 1 1\n1000.1 0 0\n"),
              EndsWith("line 4: k = 1000.1 is outside the grid of k, 0 to 1000"));
  EXPECT_THAT(said("-1 1 1\n"), HasSubstr("line 3: k = -1 is outside"));
  EXPECT_THAT(said("0 nan 1\n"), EndsWith("line 3: 'nan' is not a number"));
  EXPECT_THAT(said("0 1\n"),
              EndsWith("line 3: 2 numbers under the header 'k unemployed employed'"));
  EXPECT_THAT(said(""), EndsWith("nothing follows its header"));
}

}  // namespace
}  // namespace macrobench::krusell_smith
