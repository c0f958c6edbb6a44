#include "harness/sources/source_digest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/process/process.hpp"
#include "harness/run/schedule.hpp"
#include "tests/harness/support.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

std::vector<SourceFile> sources() {
  return {
      {"harness/model/stages.hpp", "0", {}},
      {"implementations/m/a.cpp", "1", {"implementations/m/model.hpp", "harness/model/stages.hpp"}},
      {"implementations/m/b.cpp", "2", {"other.hpp", "harness/run/job.hpp"}},
      {"implementations/m/model.cpp", "3", {"implementations/n/maths.hpp"}},
      {"implementations/m/model.hpp", "4", {}},
      {"implementations/m/other.hpp", "5", {"implementations/m/b.cpp"}},
      {"implementations/m/other.cuh", "T", {}},
      {"implementations/m/script.cpp", "6", {}},
      {"implementations/m/script/solve.m", "7", {}},
      {"implementations/n/maths.hpp", "8", {}},
      {"implementations/m/chosen.cpp", "9", {"implementations/m/method.hpp"}},
      {"implementations/m/method.hpp", "A", {}},
      {"implementations/m/method/one.cpp", "B", {"implementations/m/method.hpp"}},
      {"implementations/m/method_of_another.cpp", "C", {"implementations/m/method.hpp"}},
      {"implementations/m/chooses.cpp", "D", {"implementations/m/rule/rule.hpp"}},
      {"implementations/m/rule/rule.hpp", "E", {}},
      {"implementations/m/rule/one.cpp", "F", {"implementations/m/rule/rule.hpp"}},
      {"implementations/m/rule/sums.hpp", "G", {}},
      {"implementations/m/rules/other.cpp", "H", {}},
      {"implementations/c/c.cpp", "I", {"implementations/c/figures.hpp"}},
      {"implementations/c/certificate/wealth.cpp", "J", {}},
      {"implementations/c/certificate/certificate.hpp", "K", {}},
      {"implementations/c/figures.hpp", "L", {}},
      {"implementations/c/figures.cpp", "M", {}},
      {"implementations/c/parameters.cpp", "N", {"implementations/n/maths.hpp"}},
      {"implementations/c/serial.cpp", "O", {"implementations/c/solver.hpp"}},
      {"implementations/c/serial_too.cpp", "P", {}},
      {"implementations/c/solver.hpp", "Q", {}},
      {"implementations/c/gpu.cu", "R", {}},
      {"implementations/cc/parameters.cpp", "S", {}}};
}

/// The files whose change changes the digest of the file.
std::string seen_by(const std::string& file) {
  const std::string before = digest_of(file, sources());
  std::string seen;
  for (std::size_t i = 0; i < sources().size(); ++i) {
    std::vector<SourceFile> changed = sources();
    changed[i].sha256 = "changed";
    if (digest_of(file, changed) != before) seen += sources()[i].sha256;
  }
  return seen;
}

TEST(SourceDigest, SeesEveryFileBehindAnImplementation) {
  EXPECT_EQ(seen_by("implementations/m/a.cpp"), "01348");
  EXPECT_EQ(seen_by("/home/x/implementations/y/implementations/m/a.cpp"), "01348");
  EXPECT_EQ(seen_by("implementations/m/b.cpp"), "023458");
  EXPECT_EQ(seen_by("implementations/m/script.cpp"), "034678");
  EXPECT_EQ(seen_by("implementations/m/chosen.cpp"), "03489AB") << "a registry's entries";
  EXPECT_EQ(seen_by("implementations/m/chooses.cpp"), "0348DEFG") << "rule.hpp speaks for rule/";
  EXPECT_EQ(seen_by("implementations/unknown/unknown.cpp"), "0");
  EXPECT_NE(digest_of("implementations/m/unknown.cpp", sources()),
            digest_of("implementations/m/strange.cpp", sources()));
}

TEST(SourceDigest, SeesWhatMakesTheProblemAndJudgesTheSolution) {
  EXPECT_EQ(seen_by("implementations/c/serial.cpp"), "08IJKNOQ");
  EXPECT_EQ(seen_by("implementations/c/serial_too.cpp"), "08IJKNP");
  EXPECT_EQ(seen_by("implementations/c/gpu.cu"), "08IJKNR");
}

TEST(SourceDigest, SeesTheCompilersOfItsLanguages) {
  const Compiler one{"GNU 12", "-O3"}, other{"GNU 13", "-O3"}, flags{"GNU 12", "-O2"};
  const auto digest = [](const char* file, const Compiler& cpp, const Compiler& cuda) {
    return digest_of(std::string("implementations/c/") + file, sources(), cpp, cuda);
  };
  for (const char* file : {"serial.cpp", "gpu.cu"}) {
    EXPECT_NE(digest(file, one, one), digest(file, other, one)) << "its certificate is C++";
    EXPECT_NE(digest(file, one, one), digest(file, flags, one));
  }
  EXPECT_NE(digest("gpu.cu", one, one), digest("gpu.cu", one, flags));
  EXPECT_EQ(digest("serial.cpp", one, one), digest("serial.cpp", one, flags));
}

/// This build's files, with one of them changed.
std::vector<SourceFile> with_a_change_to(std::string_view path) {
  std::vector<SourceFile> changed(source_files().begin(), source_files().end());
  const auto found = std::ranges::find(changed, path, &SourceFile::path);
  EXPECT_NE(found, changed.end()) << path;
  if (found != changed.end()) found->sha256 = "changed";
  return changed;
}

/// The models of which an implementation's digest changes with the file.
std::set<std::string> models_that_see(std::string_view path) {
  const std::vector<SourceFile> changed = with_a_change_to(path);
  std::set<std::string> models;
  for (const Implementation* one : Registry::global().implementations()) {
    if (one->source.find("implementations/") == std::string::npos) continue;  // a test's own
    const bool sees = digest_of(one->source, changed) != digest_of(one->source, source_files());
    if (sees) models.insert(one->model);
  }
  return models;
}

TEST(SourceDigest, EachModelsProblemAndCertificateAreSeenByItsOwnImplementationsAndAllOfThem) {
  int looked_at = 0;
  for (const SourceFile& file : source_files()) {
    const std::string path(file.path);
    if (!path.starts_with("implementations/") || !path.ends_with(".cpp")) continue;
    const std::string text = content_of(source_folder() + "/" + path);
    if (text.find("\nOutcome judge(") == std::string::npos &&
        text.find("AxisTable<") == std::string::npos &&
        text.find("Problem problem_of(") == std::string::npos) {
      continue;
    }
    ++looked_at;
    const std::vector<SourceFile> changed = with_a_change_to(path);
    for (const Implementation* one : Registry::global().implementations()) {
      const std::string folder = "implementations/" + one->model + "/";
      if (one->source.find("implementations/") == std::string::npos) continue;
      EXPECT_EQ(digest_of(one->source, changed) != digest_of(one->source, source_files()),
                path.starts_with(folder))
          << path << ", " << one->id();
    }
  }
  EXPECT_GE(looked_at, static_cast<int>(std::ranges::count_if(
                           Registry::global().models(), [](const Model& model) {
                             return model.name != "fake" && model.name != "silent";
                           })));
}

/// The implementations in C++ and CUDA of the model whose digest changes with a file in its folder.
std::set<std::string> those_that_see(const std::string& model, const std::string& file) {
  const std::vector<SourceFile> changed = with_a_change_to("implementations/" + model + "/" + file);
  std::set<std::string> names;
  for (const Implementation* one : Registry::global().implementations()) {
    if (one->model != model || one->source.ends_with("/programs.cpp")) continue;
    if (digest_of(one->source, changed) != digest_of(one->source, source_files())) {
      names.insert(one->name);
    }
  }
  return names;
}

TEST(SourceDigest, AFileOfARoomIsSeenByThoseThatIncludeIt) {
  using Names = std::set<std::string>;
  EXPECT_EQ(those_that_see("rbc", "published/thrust_omp.cpp"), Names{"thrust_omp"});
  EXPECT_EQ(
      those_that_see("rbc", "published/serial.hpp"),
      (Names{"serial", "serial_2012", "serial_checked", "serial_interpolated", "serial_probed"}));
  EXPECT_EQ(those_that_see("rbc", "corrected/serial_tuned.cpp"), Names{"serial_tuned"});
  for (const char* file : {"frontier/cpu.cpp", "frontier/discrete.cpp", "frontier/rounding.cpp"}) {
    const Names names = those_that_see("rbc", file);
    EXPECT_TRUE(names.contains("frontier")) << file;
    for (const std::string& name : names) EXPECT_TRUE(name.starts_with("frontier")) << name;
  }
}

TEST(SourceDigest, NoCpuImplementationsHoldsCuda) {
  const Compiler cuda = cuda_compiler();
  const Compiler other{cuda.name, cuda.flags + " -O1"};
  int looked_at = 0;
  for (const Implementation* one : Registry::global().implementations()) {
    // The panels of krusell_smith take any policy method, those on a GPU too.
    if (one->runs_on != RunsOn::cpu || one->model == "krusell_smith") continue;
    if (one->source.find("implementations/") == std::string::npos) continue;  // a test's own
    ++looked_at;
    EXPECT_EQ(digest_of(one->source, source_files(), cpp_compiler(), cuda),
              digest_of(one->source, source_files(), cpp_compiler(), other))
        << one->id();
  }
  EXPECT_GT(looked_at, 15);
}

TEST(SourceDigest, TheTimingLoopIsSeenByAllAndViewsAndTextsByNone) {
  const std::set<std::string> all = models_that_see("harness/run/child.cpp");
  EXPECT_TRUE(all.contains("rbc"));
  EXPECT_TRUE(all.contains("krusell_smith"));
  for (const char* file : {"harness/run/sampler.cpp", "harness/run/stage_clock.hpp",
                           "harness/run/runner.cpp", "harness/model/solver.hpp"}) {
    EXPECT_EQ(models_that_see(file), all) << file;
  }
  EXPECT_EQ(models_that_see("implementations/krusell_smith/figures.cpp"), std::set<std::string>{});
  for (const SourceFile& file : source_files()) {
    EXPECT_FALSE(file.path.ends_with(".md")) << file.path;
    EXPECT_FALSE(file.path.starts_with("paper_tables/")) << file.path;
  }
}

TEST(SourceDigest, KnowsTheSourcesOfThisBuild) {
  EXPECT_FALSE(source_files().empty());
  for (const SourceFile& file : source_files()) {
    EXPECT_EQ(file.sha256.size(), 64u) << file.path;
    EXPECT_TRUE(std::filesystem::exists(source_folder() + "/" + std::string(file.path)))
        << file.path;
  }
}

TEST(SourceDigest, SeesThePolicyMethodsThatAPanelFindsByName) {
  for (const char* panel :
       {"published/cpu.cpp", "frontier/cpu.cpp", "frontier/cuda.cu", "histogram.cpp"}) {
    const std::string file = std::string("implementations/krusell_smith/") + panel;
    const std::string before = digest_of(file, source_files());
    for (const char* its :
         {"policy/egm.cpp", "policy/euler.cpp", "policy/policies_cuda.cu", "policy/policy_team.hpp",
          "policy/policy.cpp", "policy/euler_map.cpp", "policy/euler_map.hpp", "regression.cpp",
          "input/shocks.cpp", "input/wealth.cpp", "input/stored.cpp", "input/user_files.cpp"}) {
      const std::vector<SourceFile> changed =
          with_a_change_to(std::string("implementations/krusell_smith/") + its);
      EXPECT_NE(digest_of(file, changed), before) << panel << ", " << its;
    }
  }
}

TEST(SourceState, IsWrittenOnlyWhereItChanged) {
  const TemporaryFolder folder;
  const auto source = folder.path() / "source";
  std::filesystem::create_directories(source / "implementations");
  for (const SourceFile& file : source_files()) {
    if (!file.path.starts_with("harness/")) continue;
    std::filesystem::create_directories((source / file.path).parent_path());
    write_file(source / file.path, "");
  }
  write_file(source / "implementations/a.cpp", "#include <cmath>\n#  include \"b.hpp\"\n");
  const auto make = [&] {
    const ProcessResult made =
        run_process({"cmake",
                     {"cmake", "-DSOURCE=" + source.string(), "-DOUT=" + folder.path().string(),
                      "-P", source_folder() + "/cmake/source_state.cmake"},
                     "",
                     60});
    EXPECT_EQ(made.code, 0) << made.output;
    return content_of(folder.path() / "source_state.cpp");
  };
  const std::string first = make();
  EXPECT_NE(first.find("{\"implementations/a.cpp\", \""), std::string::npos) << first;
  EXPECT_NE(first.find("{\"b.hpp\", }"), std::string::npos) << first;
  const auto written = std::filesystem::last_write_time(folder.path() / "source_state.cpp");
  EXPECT_EQ(make(), first);
  EXPECT_EQ(std::filesystem::last_write_time(folder.path() / "source_state.cpp"), written);
  write_file(source / "implementations/a.cpp", "// changed\n");
  EXPECT_NE(make(), first);
}

}  // namespace
}  // namespace macrobench
