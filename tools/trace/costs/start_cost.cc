#include "trace/costs/start_cost.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "launch/launch.h"
#include "launch/log_folder.h"
#include "preload/trace/log.h"

namespace sluice::trace {
namespace {

constexpr int times = 3;
constexpr std::array programs = {"/usr/bin/true", "/bin/true"};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// Nothing if the program cannot be started.
std::optional<double> processor_s_of(const char* program, std::vector<std::string>& environment) {
  std::string name = "true";
  std::array<char*, 2> words = {name.data(), nullptr};
  std::vector<char*> variables;
  for (std::string& variable : environment) variables.push_back(variable.data());
  variables.push_back(nullptr);
  pid_t process = 0;
  if (::posix_spawn(&process, program, nullptr, nullptr, words.data(), variables.data()) != 0) {
    return std::nullopt;
  }
  int status = 0;
  rusage used{};
  if (::wait4(process, &status, 0, &used) != process || status != 0) return std::nullopt;
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// 0 if there is none.
double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double median_s_of(const char* program, std::vector<std::string> environment) {
  std::vector<double> all;
  for (int i = 0; i < times; ++i) {
    if (const auto used_s = processor_s_of(program, environment)) all.push_back(*used_s);
  }
  return median(all);
}

std::optional<double> begun_s_in(const std::string& log) {
  const int file = ::open(log.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::uint64_t ns = 0;
  const ssize_t got = ::pread(file, &ns, sizeof ns, offsetof(preload::Log, worked_before_ns));
  ::close(file);
  if (got != sizeof ns) return std::nullopt;
  return static_cast<double>(ns) * 1e-9;
}

const char* smallest_program() {
  const auto* const found = std::ranges::find_if(
      programs, [](const char* program) { return ::access(program, X_OK) == 0; });
  return found == programs.end() ? nullptr : *found;
}

}  // namespace

StartCost measured_start_cost(const ObjectPath& object) {
  const char* const program = smallest_program();
  if (program == nullptr) return {};
  const LogFolder logs;
  median_s_of(program, environment_with(object, "logs=" + logs.path()));
  std::vector<double> begun;
  for (const std::string& file : logs.files()) {
    if (const auto begun_s = begun_s_in(file)) begun.push_back(*begun_s);
  }
  return {.plain_s = median_s_of(program, own_environment()), .begun_s = median(begun)};
}

}  // namespace sluice::trace
