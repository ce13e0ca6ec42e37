// What completion in a shell offers for a word of the command line. The parser does not look at
// the offers: it takes other words too.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace sluice {

// Completion offers these words.
void offer_words(CLI::Option& option, const std::vector<std::string>& words);
std::vector<std::string> offered_words(CLI::Option& option);

// Completion offers files instead, once `word` stands on the command line.
void offer_files_after(CLI::Option& option, const std::string& word);
std::string word_before_files(CLI::Option& option);

}  // namespace sluice
