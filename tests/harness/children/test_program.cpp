// A solver from outside, of the model newton, whose maxima are known: test_program MODE. It is good
// in the mode "good"; in the others it does what a program must not.

#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Numbers = std::map<std::string, double>;

std::string mode;

bool is(const char* name) {
  return mode == name;
}

[[noreturn]] void hang() {
  std::signal(SIGTERM, SIG_IGN);
  while (true) ::pause();
}

/// As a bar of progress is printed: without an end of line.
void show_progress() {
  for (int percent = 0; percent <= 100; ++percent) {
    std::cout << (is("counts_dots") ? std::string(1000, '.')
                                    : "\rProgress: " + std::to_string(percent) + "% ")
              << std::flush;
  }
}

void answer(const std::string& text) {
  if (is("shows_progress") || is("counts_dots")) show_progress();
  std::cout << "mb1 " << text << std::endl;
}

Numbers load(const std::string& folder) {
  std::ifstream file(folder + "/problem.txt");
  if (!file) throw std::runtime_error("no problem.txt");
  Numbers numbers;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name >> numbers[name];
  }
  return numbers;
}

struct Result {
  std::vector<double> argmax;
  std::vector<std::uint8_t> steps;
};

Result solve(const Numbers& problem) {
  Result result;
  const int n = static_cast<int>(problem.at("n"));
  for (int i = 0; i < n; ++i) {
    const double a = problem.at("a_low") + i * problem.at("spacing");
    double x = problem.at("x0");
    double difference = problem.at("tolerance") + 1;
    int steps = 0;
    while (difference > problem.at("tolerance") && steps < problem.at("iteration_cap")) {
      const double moved = x - (2 * a * x + problem.at("b")) / (2 * a);
      difference = std::abs(moved - x);
      x = moved;
      ++steps;
    }
    result.argmax.push_back(x);
    result.steps.push_back(static_cast<std::uint8_t>(steps));
  }
  return result;
}

void write_bytes(const std::string& file, const void* bytes, std::size_t size) {
  std::ofstream(file, std::ios::binary)
      .write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
}

void write_npy(const std::string& file, const std::string& type, const std::string& shape,
               const std::vector<double>& values) {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize(117, ' ');
  header += '\n';
  std::string text("\x93NUMPY\x01\x00\x76\x00", 10);
  text += header;
  text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  write_bytes(file, text.data(), text.size());
}

void write(Result result, const std::string& folder) {
  const std::string shape = std::to_string(result.argmax.size()) + ",";
  if (is("nan")) result.argmax.back() = std::nan("");
  if (is("too_many")) result.argmax.push_back(0);
  if (is("forgets_an_array")) {
    write_bytes(folder + "/steps.bin", result.steps.data(), result.steps.size());
    return;
  }
  if (is("byte_order")) {
    for (double& value : result.argmax) {
      char bytes[8];
      std::memcpy(bytes, &value, 8);
      for (int i = 0; i < 4; ++i) std::swap(bytes[i], bytes[7 - i]);
      std::memcpy(&value, bytes, 8);
    }
  }
  if (is("says_byte_order")) {
    write_npy(folder + "/argmax.npy", ">f8", shape, result.argmax);
  } else if (is("other_shape")) {
    write_npy(folder + "/argmax.npy", "<f8", "1, " + shape, result.argmax);
  } else if (is("huge_header")) {
    write_npy(folder + "/argmax.npy", "<f8", "99999999999999999999,", result.argmax);
  } else if (is("link")) {
    static_cast<void>(!::symlink("/dev/zero", (folder + "/argmax.bin").c_str()));
  } else if (is("pipe")) {
    ::mkfifo((folder + "/argmax.bin").c_str(), 0600);
  } else if (is("npy")) {
    write_npy(folder + "/argmax.npy", "<f8", shape, result.argmax);
  } else if (is("text")) {
    std::ofstream file(folder + "/argmax.txt");
    file.precision(17);
    for (const double x : result.argmax) file << x << "\n";
  } else {
    write_bytes(folder + "/argmax.bin", result.argmax.data(), result.argmax.size() * 8);
  }
  write_bytes(folder + "/steps.bin", result.steps.data(), result.steps.size());
}

void flood(int descriptor, bool has_lines) {
  std::string text(1 << 16, 'x');
  if (has_lines) text.back() = '\n';
  for (int i = 0; i < 160'000; ++i) {  // ten gigabytes
    if (::write(descriptor, text.data(), text.size()) < 0) std::_Exit(3);
  }
}

std::chrono::nanoseconds used_by_this_thread() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

/// Keeps a core busy, however often others have it.
void work(std::chrono::milliseconds long_enough) {
  const auto end = used_by_this_thread() + long_enough;
  while (used_by_this_thread() < end) {
  }
}

/// A solution that is longer than any noise of its write.
constexpr std::chrono::milliseconds long_work{40};

void leave_its_cores() {
  cpu_set_t all;
  std::memset(&all, 0xff, sizeof all);
  ::sched_setaffinity(0, sizeof all, &all);
}

void hold_to(int core) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(core), &one);
  ::sched_setaffinity(0, sizeof one, &one);
}

/// A daemon: no parent, no group and no session of ours.
void leave_a_daemon(bool works, int on_core = -1) {
  if (::fork() == 0) {
    ::setsid();
    if (::fork() == 0) {
      ::alarm(60);
      if (works && on_core < 0) leave_its_cores();
      if (on_core >= 0) hold_to(on_core);
      while (works) work(std::chrono::seconds(1));
      while (true) ::pause();
    }
    std::_Exit(0);
  }
  ::wait(nullptr);
}

void use_memory() {
  std::vector<std::vector<char>> all;
  while (true) all.emplace_back(std::size_t{1} << 28, 'x');
}

/// In another process, which stays.
void leave_a_child_with_memory() {
  int filled[2];
  static_cast<void>(!::pipe(filled));
  if (::fork() == 0) {
    const std::vector<char> held(std::size_t{200} << 20, 'x');
    static_cast<void>(!::write(filled[1], held.data(), 1));
    while (true) ::pause();
  }
  char byte = 0;
  static_cast<void>(!::read(filled[0], &byte, 1));
}

void use_all_cores() {
  leave_its_cores();
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back(work, std::chrono::milliseconds(400));
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
  mode = argc > 1 ? argv[1] : "good";
  std::map<std::string, Numbers> problems;
  std::map<std::string, Result> results;
  Result kept;
  std::thread goes_on;
  std::set<std::string> written;
  int solved = 0;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command;
    std::string id;
    words >> command >> id;
    if (mode == "exits_at_" + command) return 3;
    if (mode == "exits_at_nonsense" && id == "33333333") return 3;
    if (mode == "hangs_at_" + command) hang();
    if (mode == "crashes_at_" + command) std::raise(SIGSEGV);
    if (mode == "says_nonsense_at_" + command) {
      std::cout << "mb1 " << std::string(100, '\x01') << "\n" << std::flush;
      continue;
    }
    if (mode == "answers_twice_at_" + command) answer(command + " " + id);
    try {
      if (command == "hello") {
        std::string library = "the tests' own";
        if (is("names_a_library")) std::getline(std::ifstream(argv[2]), library);
        answer("hello " + library);
      } else if (command == "start") {
        if (is("leaves_a_daemon")) leave_a_daemon(false);
        for (const int core : {0, 1}) {
          if (is("leaves_pinned_workers")) leave_a_daemon(true, core);
        }
        if (is("leaves_a_worker")) leave_a_daemon(true);
        if (is("chatters")) std::cout << "this is a log\nand so is this mb1 solve\n";
        answer("start here");
      } else if (command == "load") {
        std::string folder;
        words >> folder;
        problems[id] = load(folder);
        answer("load " + id);
      } else if (command == "ping") {
        if (is("answers_late")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        answer("ping " + id);
      } else if (command == "solve") {
        if (is("shows_progress_for_ever")) {
          show_progress();
          hang();
        }
        if (is("floods_lines")) flood(STDOUT_FILENO, true);
        if (is("floods_without_lines")) flood(STDOUT_FILENO, false);
        if (is("floods_errors")) flood(STDERR_FILENO, true);
        if (is("eats_memory")) use_memory();
        if (is("takes_all_cores")) use_all_cores();
        if (is("fills_a_child") && ++solved == 1) leave_a_child_with_memory();
        if (is("says_error")) throw std::runtime_error("the dog ate it");
        std::string ids;
        for (std::string one = id; !one.empty(); one.clear(), words >> one) {
          if (is("replays") && !kept.argmax.empty()) {
            results[one] = kept;
          } else {
            results[one] = kept = solve(problems.at(one));
          }
          // As one that begins from the solution before, and needs fewer steps.
          const bool is_hard = is("has_a_hard_first_problem") && problems.at(one).at("b") == 2.3;
          if (is_hard || (is("begins_warm") && ++solved == 1)) {
            for (std::uint8_t& steps : results[one].steps) steps = 50;
          }
          ids += " " + one;
          if (is("takes_one_only")) break;
        }
        if (is("works_on")) goes_on = std::thread(work, long_work);
        answer("solve" + ids);
      } else if (command == "write") {
        std::string folder;
        words >> folder;
        if (goes_on.joinable()) goes_on.join();
        if (is("computes_in_write")) work(long_work);
        if (is("writes_once") && !written.insert(id).second) throw std::runtime_error("forgotten");
        if (is("writes_outside")) std::ofstream(argv[2]) << "here I was\n";
        if (is("writes_nothing")) {
        } else {
          write(results.at(id), folder);
        }
        answer("write " + id);
      } else if (command == "bye") {
        answer("bye");
        return 0;
      } else {
        answer("error unknown command");
      }
    } catch (const std::exception& error) {
      answer(std::string("error ") + error.what());
    }
  }
  return 0;
}
