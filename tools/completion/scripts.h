// The scripts that make a shell complete the words of a command line.
#pragma once

#include <string>

#include "completion/tree.h"

namespace sluice::completion {

std::string bash_script(const Tree& tree);
std::string zsh_script(const Tree& tree);
std::string fish_script(const Tree& tree);

}  // namespace sluice::completion
