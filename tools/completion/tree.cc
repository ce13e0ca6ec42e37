#include "completion/tree.h"

#include "command_line/offers.h"

namespace sluice::completion {
namespace {

// The first sentence of a description without its full stop. FILE... keeps its dots.
std::string first_sentence(const std::string& text) {
  const std::string sentence = text.substr(0, text.find(". "));
  return sentence.ends_with('.') && !sentence.ends_with("...")
             ? sentence.substr(0, sentence.size() - 1)
             : sentence;
}

Value::Kind kind_of(const std::string& type_name, const std::vector<std::string>& words) {
  if (!words.empty()) return Value::Kind::words;
  if (type_name == "FILE") return Value::Kind::file;
  if (type_name == "DIR") return Value::Kind::folder;
  return type_name.starts_with("CMD") ? Value::Kind::command : Value::Kind::text;
}

Value value_of(CLI::Option& option) {
  const std::string type_name = option.get_type_name();
  Value value;
  value.words = offered_words(option);
  value.kind = kind_of(type_name, value.words);
  value.name = option.get_positional() ? option.get_name(true) : type_name;
  value.files_after = word_before_files(option);
  return value;
}

Option named_option(CLI::Option& option) {
  Option result;
  for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
  result.description = first_sentence(option.get_description());
  const std::string usual = option.get_default_str();
  if (!usual.empty()) result.description += " (default: " + usual + ")";
  result.takes_value = option.get_items_expected_min() > 0;
  result.repeats = result.takes_value && option.get_items_expected_max() > 1;
  result.may_have_value = !result.takes_value && !offered_words(option).empty();
  if (result.takes_value || result.may_have_value) result.value = value_of(option);
  if (result.may_have_value) result.value.name = "VALUE";
  return result;
}

std::vector<Option> options_of(CLI::App& app) {
  std::vector<Option> options;
  for (CLI::Option* option : app.get_options()) {
    if (option->nonpositional()) options.push_back(named_option(*option));
  }
  return options;
}

Command command_of(CLI::App& app) {
  Command command;
  command.name = app.get_name();
  command.description = first_sentence(app.get_description());
  command.options = options_of(app);
  for (CLI::Option* option : app.get_options()) {
    if (option->nonpositional()) continue;
    command.takes_arguments = true;
    command.argument_repeats = option->get_items_expected_max() > 1;
    command.argument = value_of(*option);
    break;  // a positional that comes later repeats what the first one says
  }
  return command;
}

}  // namespace

Tree tree_of(CLI::App& app) {
  Tree tree;
  tree.options = options_of(app);
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    tree.commands.push_back(command_of(*command));
  return tree;
}

}  // namespace sluice::completion
