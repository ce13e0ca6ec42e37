// Words of a command line that CLI11 would take apart.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace sluice {

// The words in a form that CLI11 leaves whole. An option or argument of several words takes a word
// such as "[a,b]" for a list, and would give the program that is started the words "a" and "b".
std::vector<std::string> kept_whole(const std::vector<std::string>& words);

// A word as the user gave it.
std::string as_given(std::string word);

// Makes all options of the app and its subcommands take words that were kept whole.
void take_whole_words(CLI::App& app);

}  // namespace sluice
