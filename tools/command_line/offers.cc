#include "command_line/offers.h"

#include <sstream>

namespace sluice {
namespace {

constexpr const char* words_name = "offered words";
constexpr const char* files_name = "offers files after";

// CLI11 keeps a text beside an option only in a validator. An inactive validator checks nothing and
// is not shown by --help.
void keep(CLI::Option& option, const char* name, const std::string& text) {
  option.check(CLI::Validator(text).active(false), name);
}

std::string kept(CLI::Option& option, const char* name) {
  try {
    return option.get_validator(name)->active(true).get_description();
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
}

}  // namespace

void offer_words(CLI::Option& option, const std::vector<std::string>& words) {
  keep(option, words_name, CLI::detail::join(words, " "));
}

std::vector<std::string> offered_words(CLI::Option& option) {
  std::istringstream text(kept(option, words_name));
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

void offer_files_after(CLI::Option& option, const std::string& word) {
  keep(option, files_name, word);
}

std::string word_before_files(CLI::Option& option) { return kept(option, files_name); }

}  // namespace sluice
