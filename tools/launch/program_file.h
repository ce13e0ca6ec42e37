// The file that a command name stands for, and whether an object can be put into it.
#pragma once

#include <string>

#include "command_line/command_error.h"

namespace sluice {

// The exit codes of a shell that cannot start a program.
inline constexpr int exit_not_executable = 126;
inline constexpr int exit_not_found = 127;

class ProgramError : public CommandError {
 public:
  ProgramError(const std::string& name, int error);
};

// The file that execvp() would execute. If there is no such file, returns "", and `error` is the
// errno.
std::string find_program(const std::string& name, int& error);

// The reason why a preloaded object would do nothing for this program, such as "it is statically
// linked"; empty if the object works. For a script, its interpreter decides. For a file that cannot
// be read the reason is empty, because exec will report that.
std::string why_not_covered(const std::string& path);

// True if the file names an interpreter for itself, in its first line.
bool is_script(const std::string& path);

// A program that can be started.
struct Program {
  std::string path;
  std::string not_covered;  // the reason why no object works for it; else empty
};

// Throws ProgramError.
Program program_for(const std::string& name);

}  // namespace sluice
