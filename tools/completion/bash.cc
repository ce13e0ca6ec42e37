#include <fmt/format.h>

#include "completion/parts.h"
#include "completion/quoted.h"
#include "completion/scripts.h"

namespace sluice::completion {
namespace {

std::string long_names(const std::vector<Option>& options) {
  std::vector<std::string> names;
  for (const Option& option : options) names.push_back(option.names.back());
  return joined(names);
}

std::string command_names(const Tree& tree) {
  std::vector<std::string> names;
  for (const Command& command : tree.commands) names.push_back(command.name);
  return joined(names);
}

// The assignments that tell sluice.bash about a value.
std::string assignments(const Value& value) {
  std::string text;
  switch (value.kind) {
    case Value::Kind::text: text = "kind=text"; break;
    case Value::Kind::words:
      text = fmt::format("kind=words offers=\"{}\"", joined(value.words));
      break;
    case Value::Kind::file: text = "kind=file"; break;
    case Value::Kind::folder: text = "kind=folder"; break;
    case Value::Kind::command: text = "kind=command"; break;
  }
  if (!value.files_after.empty()) text += " files_after=" + value.files_after;
  return text;
}

std::string options_function(const Tree& tree) {
  std::string text =
      "# _sluice_options COMMAND: sets offers to the command's options.\n"
      "_sluice_options() {\n  case $1 in\n";
  text += fmt::format("    \"\") offers=\"{}\" ;;\n", long_names(tree.options));
  for (const Command& command : tree.commands) {
    const bool starts_a_program = command.argument.kind == Value::Kind::command;
    text += fmt::format("    {}) offers=\"{}{}\" ;;\n", command.name, long_names(command.options),
                        starts_a_program ? " --" : "");
  }
  return text + "  esac\n}\n\n";
}

std::string value_function(const Tree& tree) {
  std::string text =
      "# _sluice_value WORDS: tells what the value of an option (\"COMMAND --OPTION\"; \"COMMAND "
      "--OPTION=\" if\n"
      "# it can be left out) can be, or an argument (\"COMMAND\").\n"
      "_sluice_value() {\n  kind=\"\" offers=\"\" files_after=\"\" most=1\n  case $1 in\n";
  text += fmt::format("    \"\") kind=words offers=\"{}\" ;;\n", command_names(tree));
  for (const Command& command : tree.commands) {
    for (const Option& option : command.options) {
      if (!option.takes_value && !option.may_have_value) continue;
      text += fmt::format("    \"{} {}{}\") {} ;;\n", command.name, option.names.back(),
                          option.may_have_value ? "=" : "", assignments(option.value));
    }
    if (!command.takes_arguments) continue;
    text += fmt::format("    {}) {}{} ;;\n", command.name, assignments(command.argument),
                        command.argument_repeats ? " most=1000000" : "");
  }
  return text + "  esac\n}\n\n";
}

}  // namespace

std::string bash_script(const Tree& tree) {
  return "# Completion of `sluice` for bash.\n\n" + options_function(tree) + value_function(tree) +
         std::string(parts::bash);
}

}  // namespace sluice::completion
