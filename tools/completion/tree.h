// What completion has to know about a command line: its commands, options and values.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace sluice::completion {

// What a word can be that is not an option.
struct Value {
  // text: nothing can be offered. command: a program and its arguments.
  enum class Kind { text, words, file, folder, command };

  Kind kind = Kind::text;
  std::string name;                // for people, such as FILE
  std::vector<std::string> words;  // of Kind::words
  std::string files_after;         // once this word was given, the value is a file; may be empty
};

struct Option {
  std::vector<std::string> names;  // such as -h and --help
  std::string description;
  bool takes_value = false;
  bool may_have_value = false;  // behind '=' only
  bool repeats = false;
  Value value;
};

struct Command {
  std::string name;
  std::string description;
  std::vector<Option> options;
  bool takes_arguments = false;
  bool argument_repeats = false;
  Value argument;  // one of the words that are not options and not values of options
};

struct Tree {
  std::vector<Option> options;  // before the command
  std::vector<Command> commands;
};

// The tree of an app with subcommands that have no subcommands of their own.
Tree tree_of(CLI::App& app);

}  // namespace sluice::completion
