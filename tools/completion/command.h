// `sluice completion`.
#pragma once

#include <string>
#include <vector>

#include "completion/request.h"
#include "completion/tree.h"

namespace sluice::completion {

std::vector<std::string> shells();

// For people: "bash, zsh or fish".
std::string list_of_shells();

// Prints the script and returns the exit code. Throws UsageError for an unknown shell.
int run(const Request& request, const Tree& tree);

}  // namespace sluice::completion
