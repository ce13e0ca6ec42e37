#include "testing/process_facts.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sluice::testing {
namespace {

std::string task_file(pid_t thread, const std::string& name) {
  return "/proc/self/task/" + std::to_string(thread) + "/" + name;
}

// Returns a field of a file in /proc that has one line "Name: value" for each field.
std::string field_of(const std::string& path, const std::string& field) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(field + ":")) continue;
    const std::size_t begin = line.find_first_not_of(" \t", field.size() + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

std::size_t bytes_of_field(const std::string& field) {  // given in kB
  return std::strtoull(field_of("/proc/self/status", field).c_str(), nullptr, 10) * 1024;
}

// The fields of a thread's stat file after the name in parentheses; the first is its state.
std::istringstream stat_fields(pid_t thread) {
  std::ifstream file(task_file(thread, "stat"));
  std::string line;
  std::getline(file, line);
  return std::istringstream(line.substr(line.rfind(')') + 2));
}

// True for a sleeping thread, also if signals cannot wake it (as on a frozen file system).
bool is_asleep(char state) { return state == 'S' || state == 'D'; }

}  // namespace

pid_t this_thread() { return static_cast<pid_t>(::syscall(SYS_gettid)); }

std::set<pid_t> threads() {
  std::set<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    found.insert(std::stoi(entry.path().filename().string()));
  }
  return found;
}

std::set<pid_t> threads_since(const std::set<pid_t>& before) {
  std::set<pid_t> now = threads();
  for (const pid_t thread : before) now.erase(thread);
  return now;
}

std::string thread_status_field(pid_t thread, const std::string& field) {
  return field_of(task_file(thread, "status"), field);
}

std::uint64_t context_switches(pid_t thread) {
  return std::strtoull(thread_status_field(thread, "voluntary_ctxt_switches").c_str(), nullptr, 10);
}

std::uint64_t processor_ticks(pid_t thread) {
  std::istringstream fields = stat_fields(thread);
  std::string skipped;
  for (int i = 3; i < 14; ++i) fields >> skipped;  // utime is field 14 of the whole line
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  fields >> user >> system;
  return user + system;
}

bool wait_until_asleep(pid_t thread) {
  constexpr int looks = 500;
  constexpr unsigned moment_microseconds = 20'000;
  for (int i = 0; i < looks; ++i) {
    const std::uint64_t before = context_switches(thread);
    char state = '?';
    stat_fields(thread) >> state;
    ::usleep(moment_microseconds);
    char state_after = '?';
    stat_fields(thread) >> state_after;
    if (is_asleep(state) && is_asleep(state_after) && context_switches(thread) == before)
      return true;
  }
  return false;
}

std::size_t resident_bytes() { return bytes_of_field("VmRSS"); }

std::size_t peak_resident_bytes() { return bytes_of_field("VmHWM"); }

bool reset_peak_resident_bytes() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

int exit_code_of_child(void (*body)(void*), void* argument) {
  constexpr unsigned max_seconds = 60;
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(max_seconds);
    body(argument);
    ::_exit(0);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace sluice::testing
