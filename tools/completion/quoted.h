// Texts of a script.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::completion {

// The words with a space between each two.
std::string joined(const std::vector<std::string>& words);

// The text with a backslash before each of the characters.
std::string escaped(std::string_view text, std::string_view characters);

// The text in single quotes, for a shell of POSIX and for zsh.
std::string in_single_quotes(std::string_view text);

}  // namespace sluice::completion
