// soak SECONDS FOLDER: 64 threads write, read and commit below FOLDER, and verify what they read.
//
// A line a minute reports the progress. Exit codes: 0 if all was well, 1 if not, 130 and 143 after
// SIGINT and SIGTERM, which end it early and in good order.
#include <malloc.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "loops.h"
#include "samples.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::soak {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t writers = 32;
constexpr std::size_t teams = 2;
constexpr std::size_t threads_of_a_team = 15;  // one more opens and verifies: 64 threads in all
constexpr double mebibyte = 1024 * 1024;
// More than malloc's arenas of 64 threads vary by, less than a leak in an hour.
constexpr double growth_allowed_bytes = 16 * mebibyte;

// The kernel may run the handler in any thread, so this is atomic, and lock-free as a handler
// needs.
std::atomic<int> interrupted_by = 0;
static_assert(std::atomic<int>::is_always_lock_free);

void interrupt(int signal) { interrupted_by = signal; }

std::vector<std::thread> start(Progress& progress, const std::string& folder) {
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < writers; ++i) {
    const std::string path = folder + "/file" + std::to_string(i);
    threads.emplace_back([&progress, path, i] { write_and_read(progress, path, i + 1); });
  }
  for (std::size_t i = 0; i < teams; ++i) {
    const std::string path = folder + "/journal" + std::to_string(i);
    threads.emplace_back(
        [&progress, path, i] { append_and_commit(progress, path, threads_of_a_team, i + 1); });
  }
  return threads;
}

void tell(const Progress& progress, const Samples& samples, double seconds) {
  std::printf(
      "%.0f s: %llu files, %llu journals, %llu commits, %.1f GB verified, %.0f MiB resident, "
      "%zu descriptors\n",
      seconds, static_cast<unsigned long long>(progress.files),
      static_cast<unsigned long long>(progress.journals),
      static_cast<unsigned long long>(progress.commits), static_cast<double>(progress.bytes) / 1e9,
      static_cast<double>(samples.last()) / mebibyte, open_descriptors());
  std::fflush(stdout);
}

// Takes ten samples a second, so that short runs have enough of them.
void watch(Progress& progress, Samples& samples, double seconds) {
  const Clock::time_point began = Clock::now();
  double told = 0;
  for (double now = 0; now < seconds && progress.goes_on() && interrupted_by == 0;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    now = Seconds(Clock::now() - began).count();
    samples.add(testing::resident_bytes());
    if (now - told < 60) continue;
    told = now;
    tell(progress, samples, now);
  }
  progress.stopped = true;
  tell(progress, samples, Seconds(Clock::now() - began).count());
}

int judge(Progress& progress, const Samples& samples, std::size_t descriptors_before) {
  const double growth = samples.growth_bytes();
  std::printf("memory grew by %.1f MiB, at most %.0f MiB; descriptors: %zu before, %zu after\n",
              growth / mebibyte, static_cast<double>(samples.most()) / mebibyte, descriptors_before,
              open_descriptors());
  progress.holds(open_descriptors() == descriptors_before, "descriptors were left open");
  if (!testing::sanitized && interrupted_by == 0) {
    progress.holds(growth < growth_allowed_bytes, "memory grows");
  }
  if (interrupted_by == 0) progress.holds(progress.files > 0, "nothing was written");
  if (!progress.failure().empty()) {
    std::printf("FAILED: %s\n", progress.failure().c_str());
    return 1;
  }
  return interrupted_by == 0 ? 0 : 128 + interrupted_by;
}

int soak(double seconds, const std::string& parent) {
  ::mallopt(M_ARENA_MAX, 8);  // otherwise threads that come and go look like growth
  struct sigaction action {};
  action.sa_handler = interrupt;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  const std::size_t descriptors_before = open_descriptors();
  Progress progress;
  Samples samples;
  {
    const testing::ScratchDirectory folder(parent);
    std::vector<std::thread> threads = start(progress, folder.path());
    watch(progress, samples, seconds);
    for (std::thread& thread : threads) thread.join();
  }
  return judge(progress, samples, descriptors_before);
}

}  // namespace
}  // namespace sluice::soak

int main(int count, char** arguments) {
  const double seconds = count == 3 ? std::strtod(arguments[1], nullptr) : 0;
  if (!(seconds > 0)) {
    std::fprintf(stderr, "usage: sluice_soak SECONDS FOLDER\n");
    return 2;
  }
  return sluice::soak::soak(seconds, arguments[2]);
}
