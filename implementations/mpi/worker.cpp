#include "implementations/mpi/worker.hpp"

#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <sstream>
#include <thread>

#include "harness/files/descriptor.hpp"
#include "harness/text/json_values.hpp"
#include "implementations/mpi/gpu_placement.hpp"
#include "implementations/numerics/share.hpp"

namespace macrobench::mpi {

namespace {

namespace fs = std::filesystem;

void say(const nlohmann::ordered_json& answer) {
  if (write_all(STDOUT_FILENO, to_line({{"answer", answer}})) != 0) {
    throw std::runtime_error("nobody takes the answer");
  }
}

/// Elements of any size, of which MPI counts more than bytes.
class Elements {
 public:
  explicit Elements(std::size_t size) {
    MPI_Type_contiguous(static_cast<int>(size), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ~Elements() { MPI_Type_free(&type_); }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// The ranks' shares as MPI counts them.
struct Layout {
  std::vector<int> counts, places;

  explicit Layout(const std::vector<std::size_t>& begins) {
    if (begins.back() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      throw std::runtime_error("MPI counts no more than 2^31 elements: take a smaller problem");
    }
    for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
      counts.push_back(static_cast<int>(begins[r + 1] - begins[r]));
      places.push_back(static_cast<int>(begins[r]));
    }
  }
};

/// A request is broadcast in pieces that MPI's int can count.
constexpr std::size_t piece = std::size_t{1} << 30;

std::string this_host() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return name.data();
}

/// On which this process may run.
std::vector<int> cores_here() {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

/// "0-3": the numbers in order, runs of them by their ends.
std::string list_of(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(numbers[i]);
    if (end - i > 1) text += '-' + std::to_string(numbers[end - 1]);
    i = end;
  }
  return text;
}

/// Ranks of a host that mpirun left on the same cores take the next `threads` of them in turn, if
/// there are enough.
void take_cores(const Ranks& ranks, std::size_t threads) {
  const std::vector<int> cores = cores_here();
  const std::vector<std::string> hosts = ranks.words_of_all(this_host());
  const std::vector<std::string> lists = ranks.words_of_all(list_of(cores));
  const auto mine = static_cast<std::size_t>(ranks.rank());
  std::size_t here = 0;
  std::size_t before = 0;
  for (std::size_t other = 0; other < hosts.size(); ++other) {
    if (hosts[other] != hosts[mine]) continue;
    if (lists[other] != lists[mine]) return;
    ++here;
    if (other < mine) ++before;
  }
  if (cores.size() < here * threads) return;
  cpu_set_t own;
  CPU_ZERO(&own);
  for (std::size_t i = 0; i < threads; ++i) CPU_SET(cores[before * threads + i], &own);
  ::sched_setaffinity(0, sizeof own, &own);
}

/// The NUMA nodes of these cores of this host, as Linux names them; empty if it does not.
std::vector<int> numa_nodes_of(const std::vector<int>& cores) {
  std::vector<int> nodes;
  for (const int core : cores) {
    std::error_code none;
    const fs::path folder = "/sys/devices/system/cpu/cpu" + std::to_string(core);
    for (const auto& entry : fs::directory_iterator(folder, none)) {
      const std::string name = entry.path().filename();
      if (name.starts_with("node")) nodes.push_back(std::atoi(name.c_str() + 4));
    }
  }
  std::ranges::sort(nodes);
  nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
  return nodes;
}

/// The words of every rank, from the first: "0; 1", or once if all say the same.
std::string joined(const std::vector<std::string>& words) {
  const bool same = std::ranges::all_of(words, [&](const auto& one) { return one == words[0]; });
  std::string all = words[0];
  for (std::size_t at = 1; at < words.size() && !same; ++at) all += "; " + words[at];
  return all;
}

/// "Open MPI v4.1.4": what follows is about the machine that it was built on.
std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string version(text.data(), static_cast<std::size_t>(length));
  version = version.substr(0, version.find_first_of(",\n"));
  std::ranges::replace(version, '\t', ' ');
  return version;
}

/// "2 on 1 host".
std::string count_of(const std::vector<std::string>& hosts) {
  const std::size_t count = std::set(hosts.begin(), hosts.end()).size();
  return std::to_string(hosts.size()) + " on " + std::to_string(count) +
         (count == 1 ? " host" : " hosts");
}

/// What placement() says.
using Placement = std::map<std::string, std::string>;

/// Each rank takes its GPU, and adds what is said about that.
void take_gpus(const Ranks& ranks, const GpuOfARank& gpu, Placement& placement) {
  // UUIDs have no spaces.
  std::string words = this_host();
  const std::vector<std::string> visible = gpu.visible();
  for (const std::string& uuid : visible) words += ' ' + uuid;
  std::vector<SeenGpus> seen;
  for (const std::string& its : ranks.words_of_all(words)) {
    std::istringstream text(its);
    SeenGpus& rank = seen.emplace_back();
    text >> rank.host;
    for (std::string uuid; text >> uuid;) rank.uuids.push_back(uuid);
  }
  std::vector<int> numbers;
  try {
    numbers = gpus_of_ranks(seen);
  } catch (const std::exception&) {
    // All ranks know it, and one says it: that ends the others.
    if (ranks.is_first()) throw;
    while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  const int mine = numbers[static_cast<std::size_t>(ranks.rank())];
  placement["gpus"] = joined(ranks.words_of_all(visible[static_cast<std::size_t>(mine)]));
  const std::string link = gpu.take(mine, ranks);
  if (!link.empty()) placement["link"] = link;
}

// --- what a rank answers when its case is at its deadline ----------------------------------------

/// What it does, for a signal's handler.
struct Activity {
  std::array<char, 40> rank{};  ///< "rank 1 of 2: "
  std::atomic<const char*> stage = "between solutions";
  std::atomic<std::int64_t> since = 0;  ///< milliseconds
};
Activity activity;

std::int64_t milliseconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void begin_activity(std::string_view stage) {
  static std::set<std::string, std::less<>> names;  // a handler may still read an earlier one
  const auto found = names.find(stage);
  activity.stage = (found != names.end() ? found : names.emplace(stage).first)->c_str();
  activity.since = milliseconds_now();
}

/// "rank 1 of 2: in exchange for 3 s", with nothing but what a handler may call.
extern "C" void say_where(int /*signal*/) {
  std::array<char, 160> text{};
  std::size_t size = 0;
  const auto add = [&](const char* words) {
    while (*words != '\0' && size < text.size()) text[size++] = *words++;
  };
  add(activity.rank.data());
  add("in ");
  add(activity.stage);
  add(" for ");
  std::array<char, 24> digits{};
  std::size_t at = digits.size() - 1;
  std::int64_t seconds = (milliseconds_now() - activity.since) / 1000;
  do {
    digits[--at] = static_cast<char>('0' + seconds % 10);
    seconds /= 10;
  } while (seconds > 0);
  add(&digits[at]);
  add(" s\n");
  static_cast<void>(!::write(STDERR_FILENO, text.data(), size));
}

void answer_at_deadline(int rank, int count) {
  std::snprintf(activity.rank.data(), activity.rank.size(), "rank %d of %d: ", rank, count);
  begin_activity("the start");
  struct sigaction action{};
  action.sa_handler = say_where;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGUSR1, &action, nullptr);
}

}  // namespace

Ranks::Ranks(fs::path folder, int threads, bool has_own_cores, const GpuOfARank* gpu)
    : folder_(std::move(folder)), threads_(threads) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
  // A GPU's rank leaves the cores as they are: NCCL has threads of its own.
  if (has_own_cores && gpu == nullptr) take_cores(*this, static_cast<std::size_t>(threads));
  omp_set_num_threads(threads);
  const std::vector<int> cores = cores_here();
  const std::string all_nodes = joined(words_of_all(list_of(numa_nodes_of(cores))));
  Placement placement{{"ranks", count_of(words_of_all(this_host()))},
                      {"cores", joined(words_of_all(list_of(cores)))},
                      {"mpi", library_version()}};
  if (!all_nodes.empty()) placement["numa"] = all_nodes;
  if (gpu != nullptr) take_gpus(*this, *gpu, placement);
  MPI_Barrier(MPI_COMM_WORLD);
  if (is_first()) say(placement);
}

std::vector<std::size_t> Ranks::shares(std::size_t size) const {
  const auto ranks = static_cast<std::size_t>(count_);
  std::vector<std::size_t> begins;
  for (std::size_t r = 0; r <= ranks; ++r) {
    begins.push_back(numerics::begin_of_share(size, ranks, r));
  }
  return begins;
}

std::size_t Ranks::place_of(std::string_view stage) {
  for (std::size_t at = 0; at < stages_.size(); ++at) {
    if (stages_[at].first == stage) return at;
  }
  stages_.emplace_back(stage, 0.0);
  return stages_.size() - 1;
}

void Ranks::close_stage() {
  const double now = MPI_Wtime();
  if (current_) stages_[*current_].second += now - stage_begin_;
  stage_begin_ = now;
}

void Ranks::enter(std::string_view stage) {
  begin_activity(stage);
  close_stage();
  current_ = place_of(stage);
}

void Ranks::took(std::string_view stage, double seconds) {
  if (current_) stages_[*current_].second -= seconds;
  stages_[place_of(stage)].second += seconds;
}

void Ranks::finish() {
  if (finished_) return;
  finished_ = true;
  begin_activity("the last barrier");
  MPI_Barrier(MPI_COMM_WORLD);
  begin_activity("what follows a solution");
  close_stage();
  std::vector<double> seconds;
  for (const auto& [name, of_this_rank] : stages_) seconds.push_back(of_this_rank / count_);
  MPI_Reduce(is_first() ? MPI_IN_PLACE : seconds.data(), seconds.data(),
             static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < seconds.size(); ++i) stages_[i].second = seconds[i];
  if (is_first()) say(stages_);
}

void Ranks::gather_bytes(const std::vector<std::size_t>& begins, void* values,
                         std::size_t size) const {
  const Layout layout(begins);
  const Elements elements(size);
  MPI_Allgatherv(MPI_IN_PLACE, 0, elements.type(), values, layout.counts.data(),
                 layout.places.data(), elements.type(), MPI_COMM_WORLD);
}

void Ranks::collect_bytes(const std::vector<std::size_t>& begins, const void* share, void* all,
                          std::size_t size) const {
  const Layout layout(begins);
  const Elements elements(size);
  MPI_Gatherv(is_first() ? MPI_IN_PLACE : share, layout.counts[static_cast<std::size_t>(rank_)],
              elements.type(), all, layout.counts.data(), layout.places.data(), elements.type(), 0,
              MPI_COMM_WORLD);
}

double Ranks::largest(double value) const {
  // Non-negative numbers have the order of their bits, with NaN above them all.
  auto bits = std::bit_cast<std::uint64_t>(std::abs(value));
  MPI_Allreduce(MPI_IN_PLACE, &bits, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return std::bit_cast<double>(bits);
}

void Ranks::broadcast(void* bytes, std::size_t size) const {
  auto* from = static_cast<char*>(bytes);
  for (std::size_t done = 0; done < size; done += piece) {
    MPI_Bcast(from + done, static_cast<int>(std::min(piece, size - done)), MPI_BYTE, 0,
              MPI_COMM_WORLD);
  }
}

std::vector<std::string> Ranks::words_of_all(const std::string& mine) const {
  const auto ranks = static_cast<std::size_t>(count_);
  const int size = static_cast<int>(mine.size());
  std::vector<int> sizes(ranks);
  MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<int> places(ranks);
  std::exclusive_scan(sizes.begin(), sizes.end(), places.begin(), 0);
  std::string all(static_cast<std::size_t>(places.back() + sizes.back()), '\0');
  MPI_Allgatherv(mine.data(), size, MPI_CHAR, all.data(), sizes.data(), places.data(), MPI_CHAR,
                 MPI_COMM_WORLD);
  std::vector<std::string> words;
  for (std::size_t r = 0; r < ranks; ++r) {
    words.push_back(
        all.substr(static_cast<std::size_t>(places[r]), static_cast<std::size_t>(sizes[r])));
  }
  return words;
}

std::int64_t Ranks::sum(std::int64_t value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

/// Macrobench's next request, with its arrays; empty when there are no more.
std::vector<char> Ranks::read_request() {
  std::string line;
  if (!std::getline(std::cin, line)) return {};
  const nlohmann::json job = nlohmann::json::parse(line).at("job");
  const auto& digits = job.at("problem").get_ref<const std::string&>();
  std::vector<char> bytes;
  for (std::size_t at = 0; at < digits.size(); at += 2) {
    bytes.push_back(static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16)));
  }
  const auto size = job.at("arrays").get<std::size_t>();
  if (size == 0) return bytes;
  const std::size_t problem = bytes.size();
  bytes.resize(problem + size);
  if (!arrays_.is_open()) arrays_.open(folder_ / arrays_name);
  arrays_.seekg(0);
  if (arrays_.read(bytes.data() + problem, static_cast<std::streamsize>(size))) return bytes;
  throw std::runtime_error(no_folder());
}

bool Ranks::next(std::vector<char>& request) {
  if (answered_ > 0) {
    if (!solution_.flush()) throw std::runtime_error(no_folder());
    say(std::exchange(answered_, 0));
  }
  if (is_first()) request = read_request();
  std::uint64_t size = request.size();
  MPI_Request sent = MPI_REQUEST_NULL;
  MPI_Ibcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, &sent);
  // MPI's own waiting would take a core away from the check of the last solution.
  for (int here = 0;;) {
    MPI_Request_get_status(sent, &here, MPI_STATUS_IGNORE);
    if (here != 0) break;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  if (size == 0) return false;
  request.resize(size);
  broadcast(request.data(), request.size());
  begin_activity("a solution");
  stages_.clear();
  current_.reset();
  finished_ = false;
  return true;
}

void Ranks::answer(std::string_view array) {
  if (!is_first()) return;
  if (!solution_.is_open()) solution_.open(folder_ / solution_name);
  if (answered_ == 0) solution_.seekp(0);
  solution_.write(array.data(), static_cast<std::streamsize>(array.size()));
  answered_ += array.size();
}

std::string Ranks::no_folder() const {
  return folder_.string() +
         " cannot be used: it must have room, and be the first rank's and macrobench's (TMPDIR)";
}

int serve_with(int argc, char** argv, void (*serve)(Ranks&), const GpuOfARank* gpu) {
  // A rank in the middle of a solution would outlive an mpirun that is killed.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int expected = argc > 1 ? std::atoi(argv[1]) : 1;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 1;
  const bool has_own_cores = argc > 3 && std::atoi(argv[3]) != 0;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int rank = 0;
  int count = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  answer_at_deadline(rank, count);
  try {
    if (count != expected) {
      throw std::runtime_error(
          "mpirun started " + std::to_string(expected) + " ranks that know of " +
          std::to_string(count) +
          ": it belongs to another MPI than this build's; set MACROBENCH_MPIRUN to that one's");
    }
    std::ios::sync_with_stdio(false);
    Ranks ranks(argc > 4 ? argv[4] : "", threads, has_own_cores, gpu);
    serve(ranks);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rank %d of %d: %s\n\n", rank, count, error.what());
    // mpirun must pass this on before it has its own to say about the end.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}

}  // namespace macrobench::mpi
