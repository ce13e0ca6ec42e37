#include <fmt/format.h>

#include "completion/parts.h"
#include "completion/quoted.h"
#include "completion/scripts.h"

namespace sluice::completion {
namespace {

// The last part of a specification for _arguments: ":MESSAGE:ACTION".
std::string action(const Value& value) {
  switch (value.kind) {
    case Value::Kind::text: return fmt::format(":{}: ", value.name);
    case Value::Kind::words:
      return fmt::format(":{}:({})", value.name, escaped(joined(value.words), ":"));
    case Value::Kind::file: return fmt::format(":{}:_files", value.name);
    case Value::Kind::folder: return fmt::format(":{}:_path_files -/", value.name);
    case Value::Kind::command: break;
  }
  return fmt::format(":{}: _command_names -e", value.name);
}

// One specification for each name, because _arguments forbids a name that was given and no other.
std::string option_lines(const std::vector<Option>& options) {
  std::string text;
  for (const Option& option : options) {
    for (const std::string& name : option.names) {
      std::string line = option.repeats       ? "*"
                         : option.takes_value ? ""
                                              : fmt::format("({})", joined(option.names));
      line += name;
      if (option.takes_value) line += '=';
      if (option.may_have_value) line += "=-";
      line += fmt::format("[{}]", escaped(option.description, "[]\\"));
      // After the completed name zsh shows '=', and a space takes it away.
      if (option.may_have_value) line += ':';
      if (option.takes_value || option.may_have_value) line += action(option.value);
      text += "        " + in_single_quotes(line) + "\n";
    }
  }
  return text;
}

// The specifications of the words that are not options.
std::string argument_lines(const Command& command) {
  const Value& value = command.argument;
  if (!command.takes_arguments) return "";
  if (value.kind == Value::Kind::command) {
    return "        " + in_single_quotes("(-)1" + action(value)) +
           "\n        '*:: :_sluice_program'\n";
  }
  return "        " + in_single_quotes((command.argument_repeats ? "*" : "1") + action(value)) +
         "\n";
}

std::string command_case(const Command& command) {
  std::string text = fmt::format("    {})\n      specifications=(\n{}      )\n", command.name,
                                 option_lines(command.options));
  const std::string arguments =
      fmt::format("specifications+=(\n{}      )\n", argument_lines(command));
  if (command.argument.files_after.empty()) {
    text += "      " + arguments;
  } else {
    text +=
        fmt::format("      _sluice_files_after {} || {}", command.argument.files_after, arguments);
  }
  return text + "      ;;\n";
}

std::string commands_function(const Tree& tree) {
  std::string text = "_sluice_commands() {\n  local -a commands=(\n";
  for (const Command& command : tree.commands) {
    text +=
        "    " + in_single_quotes(command.name + ":" + escaped(command.description, ":\\")) + "\n";
  }
  return text + "  )\n  _describe command commands\n}\n\n";
}

}  // namespace

std::string zsh_script(const Tree& tree) {
  std::string text =
      "#compdef sluice\n# Completion of `sluice` for zsh.\n\n" + commands_function(tree);
  text +=
      "# _sluice_specify COMMAND: sets specifications, as _arguments takes them.\n"
      "_sluice_specify() {\n  case $1 in\n    '')\n      specifications=(\n" +
      option_lines(tree.options) + "      )\n      ;;\n";
  for (const Command& command : tree.commands) text += command_case(command);
  return text + "  esac\n}\n\n" + std::string(parts::zsh);
}

}  // namespace sluice::completion
