// `sluice completion`.
#pragma once

#include <string>
#include <vector>

#include "completion/request.h"
#include "completion/tree.h"

namespace sluice::completion {

std::vector<std::string> shells();

// For people: "bash, zsh or fish", if `word` is "or".
std::string list_of_shells(std::string_view word);

// Prints the script and returns the exit code. Throws UsageError for an unknown shell.
int run(const Request& request, const Tree& tree);

}  // namespace sluice::completion
