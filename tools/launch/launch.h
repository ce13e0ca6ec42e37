// Starting a program with one of our objects preloaded.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/io_counts.h"

namespace sluice {

// The path of one of our objects for preloading, given its file's name. Throws std::runtime_error
// when it is not there.
std::string path_of_object(const std::string& name);

// Becomes one of our other executables. Throws when it is not there or cannot be executed.
[[noreturn]] void become_part(const std::string& name, const std::vector<std::string>& words);

// NAME=VALUE strings for exec: this process's environment, with `object` (a file's name) behind
// what is preloaded already, and its options. Throws std::runtime_error when the object is not
// there.
std::vector<std::string> environment_with(const std::string& object, const std::string& options);

// This process's environment as it is.
std::vector<std::string> own_environment();

// Becomes the program; text that is executable and no program is a script for the shell, as for
// execvp(). Returns the errno when that fails.
int become(const std::string& path, const std::vector<std::string>& words,
           const std::vector<std::string>& environment);

struct Ended {
  int wait_status = 0;  // what wait(2) gave
  double wall_s = 0;
  std::optional<IoCounts> io{};
};

// Starts the program and waits for it; signals that are sent to this process reach it. Throws
// ProgramError when it cannot be executed, std::system_error when there can be no other process.
Ended start_and_wait(const std::string& path, const std::vector<std::string>& words,
                     const std::vector<std::string>& environment);

// Writes the report and then ends like the program: what was seen is not lost with a full disk, and
// the program's own end matters more. `who` complains of a report that cannot be written; the exit
// code is 1 then where the program's was 0.
int report_and_end(std::string_view who, int wait_status, const std::function<void()>& report);

// Ends this process by the signal that ended the program; else gives the program's exit code.
int end_like(int wait_status);

}  // namespace sluice
