// The parts of the scripts that do not depend on the commands: the files sluice.bash, sluice.zsh
// and sluice.fish of this folder, as CMake embeds them.
#pragma once

#include <string_view>

namespace sluice::completion::parts {

extern const std::string_view bash;
extern const std::string_view zsh;
extern const std::string_view fish;

}  // namespace sluice::completion::parts
