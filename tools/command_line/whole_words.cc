#include "command_line/whole_words.h"

namespace sluice {
namespace {

// CLI11 sees a list if the first letter is a bracket. No word of a command line has this letter.
constexpr char mark = '\0';

bool is_list(const std::string& word) { return word.starts_with('[') && word.ends_with(']'); }

}  // namespace

std::vector<std::string> kept_whole(const std::vector<std::string>& words) {
  std::vector<std::string> kept = words;
  for (std::string& word : kept) {
    if (is_list(word)) word.insert(0, 1, mark);
  }
  return kept;
}

std::string as_given(std::string word) {
  if (word.starts_with(mark)) word.erase(0, 1);
  return word;
}

void take_whole_words(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) option->transform(as_given);
  for (CLI::App* subcommand : app.get_subcommands({})) take_whole_words(*subcommand);
}

}  // namespace sluice
