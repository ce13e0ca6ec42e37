#include <fmt/format.h>

#include "completion/parts.h"
#include "completion/quoted.h"
#include "completion/scripts.h"

namespace sluice::completion {
namespace {

std::string in_quotes(std::string_view text) { return "'" + escaped(text, "'\\") + "'"; }

// The options of `complete` that say what the value can be.
std::string offers(const Value& value) {
  switch (value.kind) {
    case Value::Kind::text: return " -x";
    case Value::Kind::words: return " -x -a " + in_quotes(joined(value.words));
    case Value::Kind::file: return " -r -F";
    case Value::Kind::folder: return " -x -a '(__fish_complete_directories)'";
    case Value::Kind::command: break;
  }
  return " -x -a '(__sluice_program)'";
}

// A value that can be left out is offered behind '=' only, as a part of the word.
std::string optional_value_line(const Option& option) {
  const std::string name = option.names.back() + "=";
  std::string words;
  for (const std::string& word : option.value.words)
    words += (words.empty() ? "" : " ") + name + word;
  return "complete -c sluice -n '__sluice_typing " + name + "' -f -a " + in_quotes(words) + "\n";
}

std::string option_lines(const std::string& condition, const std::vector<Option>& options) {
  std::string text;
  for (const Option& option : options) {
    text += "complete -c sluice -n " + condition;
    for (const std::string& name : option.names) {
      const bool is_long = name.starts_with("--");
      text += (is_long ? " -l " : " -s ") + name.substr(is_long ? 2 : 1);
    }
    if (option.takes_value) text += offers(option.value);
    text += " -d " + in_quotes(option.description) + "\n";
    if (option.may_have_value) text += optional_value_line(option);
  }
  return text;
}

std::string argument_lines(const Command& command) {
  const Value& value = command.argument;
  if (!command.takes_arguments || value.kind == Value::Kind::text) return "";
  const std::string most = command.argument_repeats ? "" : " 1";
  if (value.files_after.empty()) {
    return fmt::format("complete -c sluice -n '__sluice_argument_of {}{}'{}\n", command.name, most,
                       offers(value));
  }
  return fmt::format(
      "complete -c sluice -n '__sluice_argument_of {0}; and not __sluice_given {1}'{2}\n"
      "complete -c sluice -n '__sluice_argument_of {0}; and __sluice_given {1}' -F\n",
      command.name, value.files_after, offers(value));
}

std::vector<std::string> options_with_value(const Tree& tree) {
  std::vector<std::string> names;
  for (const Command& command : tree.commands) {
    for (const Option& option : command.options) {
      if (option.takes_value) names.push_back(option.names.back());
    }
  }
  return names;
}

}  // namespace

std::string fish_script(const Tree& tree) {
  std::string text = "# Completion of `sluice` for fish.\n\nset -g __sluice_options_with_value " +
                     joined(options_with_value(tree)) + "\n\n" + std::string(parts::fish) + "\n";
  text += option_lines("'__sluice_command_is \"\"'", tree.options);
  for (const Command& command : tree.commands) {
    text += fmt::format("complete -c sluice -n '__sluice_command_is \"\"' -a {} -d {}\n",
                        command.name, in_quotes(command.description));
  }
  for (const Command& command : tree.commands) {
    text +=
        "\n" + option_lines(fmt::format("'__sluice_command_is {}'", command.name), command.options);
    text += argument_lines(command);
  }
  return text;
}

}  // namespace sluice::completion
