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
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
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

// How a program is given nothing to do.
struct EmptyRun {
  std::string_view program;  // what its name begins with
  const char* option;
  const char* script;
};
constexpr EmptyRun empty_runs[] = {
    {"jq", "-n", "empty"}, {"lua", "-e", ""},    {"node", "-e", ""}, {"perl", "-e", ""},
    {"php", "-r", ""},     {"python", "-c", ""}, {"ruby", "-e", ""},
};

// Its input and output are empty.
class Silence {
 public:
  Silence() {
    ::posix_spawn_file_actions_init(&actions_);
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      ::posix_spawn_file_actions_addopen(&actions_, descriptor, "/dev/null", O_RDWR, 0);
    }
  }
  ~Silence() { ::posix_spawn_file_actions_destroy(&actions_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Nothing if the program cannot be started, or fails.
std::optional<double> processor_s_of(const char* program, std::vector<std::string> words,
                                     std::vector<std::string>& environment) {
  const Silence silence;
  pid_t process = 0;
  if (::posix_spawn(&process, program, silence.get(), nullptr, pointers_to(words).data(),
                    pointers_to(environment).data()) != 0) {
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
    if (const auto used_s = processor_s_of(program, {"true"}, environment)) all.push_back(*used_s);
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

double measured_empty_run_s(const std::string& name, const std::string& file) {
  constexpr double long_s = 0.02;  // one such run is enough
  const auto* const known = std::ranges::find_if(
      empty_runs, [&](const EmptyRun& of) { return name.starts_with(of.program); });
  if (known == std::end(empty_runs)) return 0;
  std::vector<std::string> environment = own_environment();
  double least_s = 0;
  for (int i = 0; i < times && least_s < long_s; ++i) {
    const auto used_s =
        processor_s_of(file.c_str(), {name, known->option, known->script}, environment);
    if (!used_s) return 0;
    least_s = i == 0 ? *used_s : std::min(least_s, *used_s);
  }
  return least_s;
}

}  // namespace sluice::trace
