// Starting a program with one of our objects preloaded.
#pragma once

#include <string>
#include <vector>

namespace sluice {

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

// Starts the program and waits for it; signals that are sent to this process reach it. Gives what
// wait(2) gave. `exec_error` is the errno when the program could not be executed, else 0. Throws
// std::system_error when there can be no other process.
int start_and_wait(const std::string& path, const std::vector<std::string>& words,
                   const std::vector<std::string>& environment, int& exec_error);

// Ends this process by the signal that ended the program; else gives the program's exit code.
int end_like(int wait_status);

}  // namespace sluice
