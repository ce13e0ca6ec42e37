// The file that a command name stands for, and whether functions can be put into it.
#pragma once

#include <string>

namespace sluice::run {

// The file that execvp() would execute; empty when there is none. `error` is then the errno.
std::string find_program(const std::string& name, int& error);

// Why a preloaded object does nothing for this program, as the end of the sentence "it is not
// accelerated: ..."; empty when it works. A script is judged by its interpreter. What cannot be
// read is left for exec to complain about.
std::string why_not_accelerated(const std::string& path);

}  // namespace sluice::run
