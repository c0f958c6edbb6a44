#include "harness/machine/machine.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <functional>

#include "tests/harness/support.hpp"

namespace macrobench {
namespace {

using nlohmann::ordered_json;

TEST(Machine, KnowsWhereItIs) {
  const Machine machine = this_machine();
  EXPECT_EQ(machine.cores(), available_cores());
  EXPECT_GE(machine.cores(), 1);
  EXPECT_FALSE(machine.block.at("compiler").at("name").get<std::string>().empty());
  EXPECT_TRUE(machine.block.at("libraries").contains("fmt"));
  EXPECT_FALSE(machine.slug().empty());
  EXPECT_EQ(machine.slug().find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
            std::string::npos);
}

TEST(Machine, IsTheSameEveryTime) {
  EXPECT_EQ(this_machine().id(), this_machine().id());
  EXPECT_EQ(this_machine().comparable_id(), this_machine().comparable_id());
}

TEST(Machine, CountsTheCoresItMayRunOn) {
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  int core = 0;
  while (!CPU_ISSET(core, &before)) ++core;
  CPU_SET(core, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(available_cores(), 1);
  ::sched_setaffinity(0, sizeof before, &before);
}

TEST(Machine, SaysWhatItsBlockHasAtAPlace) {
  Machine machine;
  EXPECT_EQ(machine.at("/gpu/name"), nullptr);
  machine.block = {{"gpu", {{"name", "A GPU"}, {"memory_mib", 7}}}, {"compiler", {"GNU"}}};
  EXPECT_EQ(machine.text_at("/gpu/name"), "A GPU");
  EXPECT_EQ(machine.number_at("/gpu/memory_mib"), 7);
  EXPECT_EQ(machine.text_at("/gpu/memory_mib"), "") << "a number";
  EXPECT_FALSE(machine.number_at("/gpu/name"));
  EXPECT_EQ(machine.text_at("/compiler/name"), "") << "a list has no names";
}

Machine changed(const std::function<void(ordered_json&)>& change) {
  Machine machine = a_machine();
  change(machine.block);
  return machine;
}

TEST(Machine, IdsSeeWhatMatters) {
  const Machine machine = a_machine();
  const Machine hotter = changed([](ordered_json& block) { block["now"]["mhz"] = 3000; });
  EXPECT_EQ(hotter.id(), machine.id());
  const Machine newer = changed([](ordered_json& block) { block["source"]["commit"] = "def"; });
  EXPECT_NE(newer.id(), machine.id());
  EXPECT_EQ(newer.comparable_id(), machine.comparable_id());
  for (const auto& change : std::vector<std::function<void(ordered_json&)>>{
           [](ordered_json& block) { block["cpu"]["model"] = "another"; },
           [](ordered_json& block) { block["cpu"]["cores_available"] = 64; },
           [](ordered_json& block) { block["compiler"]["flags"] = "-O0"; },
           [](ordered_json& block) { block["gpu"] = {{"name", "NVIDIA H100"}}; }}) {
    EXPECT_NE(changed(change).comparable_id(), machine.comparable_id());
    EXPECT_NE(changed(change).id(), machine.id());
  }
}

TEST(Machine, IdentityStaysWhileTheEnvironmentChanges) {
  const Machine machine = identified("a");
  for (const auto& change : std::vector<std::function<void(ordered_json&)>>{
           [](ordered_json& block) { block["source"]["commit"] = "def"; },
           [](ordered_json& block) { block["now"]["load_average"] = {7}; },
           [](ordered_json& block) { block["compiler"]["name"] = "GNU 14"; },
           [](ordered_json& block) { block["kernel"] = "Linux 7"; },
           // The same 8 GiB, of which another kernel keeps more to itself.
           [](ordered_json& block) { block["memory_bytes"] = 7'990'000'000; },
           [](ordered_json& block) { block["cpu"]["cores_available"] = 1; },
           [](ordered_json& block) { block["gpu"] = {{"name", "hidden"}, {"driver", "580"}}; }}) {
    Machine later = machine;
    change(later.block);
    EXPECT_NE(later.block, machine.block);
    EXPECT_EQ(later.identity(), machine.identity()) << later.block;
    EXPECT_TRUE(later.is_same_as(machine));
  }
  for (const auto& change : std::vector<std::function<void(ordered_json&)>>{
           [](ordered_json& block) { block["cpu"]["model"] = "another"; },
           [](ordered_json& block) { block["cpu"]["cores_in_machine"] = 64; },
           [](ordered_json& block) { block["memory_bytes"] = 16'000'000'000; },
           [](ordered_json& block) { block["identity"]["installation"] = "b"; },
           [](ordered_json& block) {
             block["identity"]["gpus"] = {{{"name", "NVIDIA H100"}, {"id", "1"}}};
           }}) {
    Machine other = machine;
    change(other.block);
    EXPECT_NE(other.identity(), machine.identity()) << other.block;
    EXPECT_FALSE(other.is_same_as(machine));
    EXPECT_FALSE(other.is_comparable_with(machine));
    EXPECT_NE(other.own_name(), machine.own_name());
  }
}

TEST(Machine, TwoEqualOnesAreTwo) {
  const Machine one = identified("a");
  const Machine other = identified("b");
  EXPECT_EQ(one.slug(), other.slug());
  EXPECT_EQ(one.comparable_id(), other.comparable_id()) << "of the same kind";
  EXPECT_FALSE(one.is_comparable_with(other));
  EXPECT_EQ(one.own_name(), one.slug() + "_" + one.identity().substr(0, 6));
  EXPECT_NE(one.own_name(), other.own_name());
}

TEST(Machine, TheUserMayCallEqualNodesOne) {
  const auto node = [](const char* from, const char* gpu) {
    return identified("a", from, {{{"name", "NVIDIA H100"}, {"id", gpu}}});
  };
  EXPECT_EQ(node("name", "1").identity(), node("name", "2").identity());
  EXPECT_NE(node("state", "1").identity(), node("state", "2").identity());
}

TEST(Machine, OneOfVersion010IsKnownByItsHardware) {
  const Machine old = a_machine();
  EXPECT_FALSE(old.is_identified());
  EXPECT_TRUE(identified("a").is_comparable_with(old));
  EXPECT_TRUE(old.is_comparable_with(identified("b")));
  EXPECT_FALSE(old.is_same_as(a_machine(64)));
  EXPECT_EQ(count_machines({{"1", old}, {"2", identified("a")}}), 1u);
  EXPECT_EQ(count_machines({{"1", old}, {"2", identified("a")}, {"3", identified("b")}}), 2u);
  EXPECT_EQ(count_machines({{"1", old}, {"2", a_machine(64)}}), 2u);
  EXPECT_EQ(count_machines({}), 0u);
}

TEST(Machine, KnowsItsGpusWithoutTellingTheirUuids) {
  const std::string uuid = "GPU-5b3b0e5c-7d6c-4c8e-b1a1-0123456789ab";
  const ordered_json gpus = gpus_from_csv(uuid + ", NVIDIA H100\nGPU-1, NVIDIA H100\n");
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[0]["name"], "NVIDIA H100");
  EXPECT_EQ(gpus[0]["id"].get<std::string>().size(), 16u);
  EXPECT_LT(gpus[0]["id"], gpus[1]["id"]);
  EXPECT_EQ(gpus.dump().find("5b3b0e5c"), std::string::npos);
  EXPECT_EQ(gpus, gpus_from_csv("GPU-1, NVIDIA H100\n" + uuid + ", NVIDIA H100\n"));
  EXPECT_TRUE(gpus_from_csv("NVIDIA-SMI has failed because it could not\n").empty());
  EXPECT_TRUE(gpus_from_csv("").empty());
}

/// As versions with the options --place and --shared wrote it.
TEST(Machine, AnOlderBlockWithAPlaceOrSharedIsAnotherMachine) {
  const Machine machine = a_machine();
  EXPECT_EQ(machine.comparable_id(),
            "0426cd0900ef679381be2ceda252ef1322107a30500871edcc9416d68680fbcb")
      << "records of earlier machines stay comparable";
  ordered_json block = machine.block;
  block["cpu"]["place"] = "close";
  const Machine close = machine_from_json(block);
  EXPECT_EQ(close.place(), "close");
  EXPECT_NE(close.comparable_id(), machine.comparable_id());
  EXPECT_EQ(close.slug(), machine.slug() + "_close");
  block["shared"] = true;
  const Machine shared = machine_from_json(block);
  EXPECT_NE(shared.comparable_id(), close.comparable_id());
  EXPECT_EQ(shared.slug(), machine.slug() + "_close_shared");
}

TEST(Machine, ReadsTheProcessorsTopology) {
  const TemporaryFolder folder;
  EXPECT_EQ(cpu_topology(folder.path()),
            ordered_json({{"numa_nodes", nullptr}, {"threads_per_core", nullptr}}));
  const std::filesystem::path core = folder.path() / "cpu/cpu0/topology";
  std::filesystem::create_directories(core);
  std::filesystem::create_directories(folder.path() / "node");
  write_file(core / "thread_siblings_list", "0,64\n");
  write_file(folder.path() / "node" / "online", "0-1,4\n");
  EXPECT_EQ(cpu_topology(folder.path()),
            ordered_json({{"numa_nodes", 3}, {"threads_per_core", 2}}));
  write_file(core / "thread_siblings_list", "0-3\n");
  write_file(folder.path() / "node" / "online", "garbage\n");
  EXPECT_EQ(cpu_topology(folder.path()),
            ordered_json({{"numa_nodes", nullptr}, {"threads_per_core", 4}}));
}

TEST(Machine, ReadsTheCaches) {
  const TemporaryFolder folder;
  EXPECT_EQ(cpu_caches(folder.path()), ordered_json::array());
  const auto write_cache = [&](const char* index, const char* size, const char* cores) {
    const std::filesystem::path cache = folder.path() / "cpu/cpu0/cache" / index;
    std::filesystem::create_directories(cache);
    write_file(cache / "level", "2\n");
    write_file(cache / "type", "Unified\n");
    write_file(cache / "size", size);
    write_file(cache / "shared_cpu_list", cores);
  };
  write_cache("index0", "512K\n", "0,64\n");
  write_cache("index1", "2M\n", "garbage\n");
  write_cache("index2", "garbage\n", "0\n");
  EXPECT_EQ(cpu_caches(folder.path()),
            ordered_json(
                {{{"level", 2}, {"type", "Unified"}, {"bytes", 512 << 10}, {"shared_by", 2}},
                 {{"level", 2}, {"type", "Unified"}, {"bytes", 2 << 20}, {"shared_by", nullptr}}}));
}

TEST(Machine, SlugsAreReadable) {
  const auto slug = [](const ordered_json& cpu, int cores, const ordered_json& gpu) {
    return changed([&](ordered_json& block) {
             block["cpu"]["model"] = cpu;
             block["cpu"]["cores_available"] = cores;
             block["gpu"] = gpu;
           })
        .slug();
  };
  EXPECT_EQ(slug("AMD EPYC", 2, nullptr), "amd_epyc_2_cores");
  EXPECT_EQ(slug("AMD EPYC 7B13 64-Core Processor", 1, nullptr), "amd_epyc_7b13_1_core");
  EXPECT_EQ(slug("Intel(R) Xeon(R) Platinum 8480+", 16, {{"name", "NVIDIA H100 80GB HBM3"}}),
            "intel_xeon_platinum_8480_16_cores_nvidia_h100_80gb_hbm3");
  EXPECT_EQ(slug("Intel(R) Core(TM)2 Duo CPU     E8400  @ 3.00GHz", 2, nullptr),
            "intel_core_2_duo_e8400_2_cores");
  EXPECT_EQ(slug(nullptr, 4, nullptr), "unknown_cpu_4_cores");
}

TEST(Machine, ReadsProcessorNames) {
  EXPECT_EQ(cpu_model("processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD EPYC\n"), "AMD EPYC");
  EXPECT_EQ(cpu_model("processor: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"),
            "ARM Neoverse-N1");
  EXPECT_EQ(cpu_model("CPU implementer\t: 0x99\nCPU part\t: 0x123\n"),
            "ARM implementer 0x99 part 0x123");
  EXPECT_EQ(cpu_model("processor\t: 0\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n"),
            "Raspberry Pi 4 Model B Rev 1.4");
  EXPECT_EQ(cpu_model(""), "");
}

TEST(Machine, ReadsWhatNvidiaSmiSays) {
  const ordered_json gpu = gpu_from_csv(
      "NVIDIA H100 80GB HBM3, 81559, 1980, 2619, Enabled, 700.00, 580.65.06, 345, 9.0\n");
  EXPECT_EQ(gpu["name"], "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(gpu["memory_mib"], 81559);
  EXPECT_EQ(gpu["highest_sm_mhz"], 1980);
  EXPECT_EQ(gpu["ecc"], true);
  EXPECT_EQ(gpu["driver"], "580.65.06");
  EXPECT_EQ(gpu["compute_capability"], "9.0");
  EXPECT_EQ(gpu["now"]["sm_mhz"], 345);
  const ordered_json old = gpu_from_csv("Tesla K40c, 11441, 875, 3004, [N/A], [N/A], 470.1, 324");
  EXPECT_TRUE(old["ecc"].is_null());
  EXPECT_TRUE(old["power_limit_w"].is_null());
  EXPECT_TRUE(old["compute_capability"].is_null());
  EXPECT_TRUE(gpu_from_csv("").is_null());
  EXPECT_TRUE(gpu_from_csv("NVIDIA-SMI has failed because it could not\n").is_null());
}

}  // namespace
}  // namespace macrobench
