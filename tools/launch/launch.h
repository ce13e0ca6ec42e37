// Starts a program with one of the preloaded objects.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/io_counts.h"
#include "launch/object_path.h"

namespace sluice {

// The path of the object with this file name. Throws std::runtime_error if it does not exist.
std::string path_of_object(const std::string& name);

// Becomes another executable of the command. Throws if it does not exist or cannot be executed.
[[noreturn]] void become_part(const std::string& name, const std::vector<std::string>& words);

// True if the loader can start another executable of the command. Runs it with --version.
bool part_starts(const std::string& name);

// NAME=VALUE strings for exec: this process's environment, with `object` after the objects that are
// preloaded already, and with the options of `object`.
std::vector<std::string> environment_with(const ObjectPath& object, const std::string& options);

// This process's environment, unchanged.
std::vector<std::string> own_environment();

// Becomes the program. As in execvp(), an executable text file that is no program is a script for
// the shell. On failure returns the errno.
int become(const std::string& path, const std::vector<std::string>& words,
           const std::vector<std::string>& environment);

struct Ended {
  int wait_status = 0;  // the status from wait(2)
  double wall_s = 0;
  double processor_s = 0;  // of the program and of all processes that were waited for
  std::optional<IoCounts> io{};
  pid_t running = 0;  // the program, if it has not ended: then it has neither status nor io
};

// What the command does while the program runs.
struct Waiting {
  // After this time the program is left to itself. Such a program also goes on if this process is
  // killed.
  std::optional<double> leave_after_s{};
  // Is called at each SIGUSR2, which then does not reach the program.
  std::function<void(const Ended& so_far)> at_request{};
};

// Starts the program and waits for it. Signals that are sent to this process reach the program.
// Throws ProgramError if the program cannot be executed, and std::system_error if no process can be
// created.
Ended start_and_wait(const std::string& path, const std::vector<std::string>& words,
                     const std::vector<std::string>& environment, const Waiting& waiting = {});

// Writes a text or a file of a report. Throws if it cannot be written.
using ReportItem = std::function<void()>;

// Writes each item, and complains as `who` of each one that throws. Returns whether none did.
bool write_items(std::string_view who, const std::vector<ReportItem>& items);

// Writes the report and then ends like the program, with its exit code or by its
// signal. Returns 1 if the program's exit code was 0 and an item cannot be written.
int report_and_end(std::string_view who, int wait_status, const std::vector<ReportItem>& report);

// Ends this process by the signal that ended the program. Otherwise returns the program's exit
// code.
int end_like(int wait_status);

}  // namespace sluice
