#include "command_line/commands.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <sstream>
#include <string_view>
#include <utility>

#include "command_line/command_error.h"
#include "command_line/offers.h"
#include "command_line/output.h"
#include "command_line/whole_words.h"

namespace sluice {
namespace {

int complain_and_exit(std::string_view who, std::string_view what, int exit_code = exit_usage) {
  complain(who, what);
  return exit_code;
}

// Opens those of the descriptors 0 to 2 that the caller closed, on a target that can be neither
// read nor written. Otherwise a file that is opened later could become "standard output".
void occupy_standard_descriptors() {
  int descriptor = 0;
  do {
    descriptor = ::open("/dev/null", O_PATH | O_CLOEXEC);
  } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor > STDERR_FILENO) ::close(descriptor);
}

// "--dir, --size, ...": all options of the command, for a user who mistyped an option.
std::string options_of(const CLI::App& command) {
  std::string names;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->nonpositional() || option->get_group().empty()) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", option->get_name());
  }
  return names;
}

std::string commands_of(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", command->get_name());
  }
  return names;
}

bool has_unknown_option(const std::vector<std::string>& words) {
  const auto mark = std::ranges::find(words, "--");
  return std::any_of(words.begin(), mark,
                     [](const std::string& word) { return word.starts_with('-'); });
}

// A complaint about words that the command does not take. Words after `--` are never options.
std::string complaint_about(const std::vector<std::string>& words, const CLI::App& command) {
  const auto mark = std::ranges::find(words, "--");
  const auto option = std::find_if(words.begin(), mark,
                                   [](const std::string& word) { return word.starts_with('-'); });
  if (option != mark) {
    const std::string name = command.get_name();
    const bool starts_program = command.get_option_no_throw("CMD") != nullptr;
    return fmt::format("unknown option '{}'. {}Options: {}. Try: sluice {} --help", *option,
                       starts_program ? fmt::format("For an option of the program, write -- before "
                                                    "the program: sluice {} -- CMD ARGS. ",
                                                    name)
                                      : "",
                       options_of(command), name);
  }
  const bool only_behind = mark == words.begin() && words.size() > 1;
  return fmt::format("unexpected '{}': see sluice {} --help", only_behind ? words[1] : words[0],
                     command.get_name());
}

// The subcommand that a command line names, also in "help NAME" and "--help NAME"; else empty.
std::string_view first_name(const std::vector<std::string_view>& words) {
  const auto named = std::ranges::find_if(
      words, [](std::string_view word) { return !word.starts_with('-') && word != "help"; });
  return named == words.end() ? std::string_view() : *named;
}

// The first option that ends with its '=', as in "--compress=$UNSET", without this '='; else empty.
// CLI11 would take a flag such as --compress as if it had no '='.
std::string_view first_without_value(const std::vector<std::string_view>& words) {
  const auto mark = std::ranges::find(words, "--");
  const auto option = std::find_if(words.begin(), mark, [](std::string_view word) {
    return word.starts_with("--") && word.find('=') == word.size() - 1;
  });
  return option == mark ? std::string_view() : option->substr(0, option->size() - 1);
}

// The first flag with a value, as in "--summary=yes"; else empty. CLI11 takes some values, and has
// no clear words for the others. (A flag that offers words, as --compress does, may have one.)
std::string_view flag_with_value(const std::vector<std::string_view>& words, CLI::App& command) {
  const auto mark = std::ranges::find(words, "--");
  const auto flag = std::find_if(words.begin(), mark, [&](std::string_view word) {
    const std::size_t end = word.find('=');
    if (!word.starts_with("--") || end == std::string_view::npos) return false;
    CLI::Option* const option = command.get_option_no_throw(std::string(word.substr(0, end)));
    return option != nullptr && option->get_items_expected_max() == 0 &&
           offered_words(*option).empty();
  });
  return flag == mark ? std::string_view() : *flag;
}

// Does not change the handling of signals, because a program that is started inherits it.
int start_command(std::string_view who, const std::function<int()>& start) {
  try {
    return start();
  } catch (const UsageError& error) {  // the text of a UsageError may have several lines
    return complain_and_exit(who, error.what());
  } catch (const CommandError& error) {
    return complain_and_exit(who, on_one_line(error.what()), error.exit_code());
  } catch (const std::exception& error) {
    return complain_and_exit(who, on_one_line(error.what()), exit_failure);
  }
}

}  // namespace

Commands::Commands() : app_("File I/O at the machine's limit", "sluice") {
  app_.set_version_flag("--version", "sluice " SLUICE_VERSION);
  app_.require_subcommand(1);
}

void Commands::add(const CLI::App* subcommand, std::function<int()> start) {
  commands_.push_back({subcommand, std::move(start), false});
}

void Commands::add_elsewhere(const std::string& name, const std::string& description,
                             std::function<int()> start) {
  commands_.push_back({app_.add_subcommand(name, description), std::move(start), true});
}

void Commands::add_help() {
  std::vector<std::string> names;
  for (const CLI::App* command : app_.get_subcommands({})) names.push_back(command->get_name());
  CLI::App* const help = app_.add_subcommand("help", "Print this page, or the page of a command");
  offer_words(*help->add_option("COMMAND", help_topic_, "The command")->type_name(""), names);
}

// Prints what CLI11 found: help and version on standard output, errors on standard error.
int Commands::explain(const CLI::ParseError& error) const {
  std::ostringstream out;
  std::ostringstream unused;
  if (app_.exit(error, out, unused) == 0) {
    write_output(out.str());
    return 0;
  }
  std::vector<std::string> rest = app_.remaining(true);
  std::ranges::transform(rest, rest.begin(), as_given);
  const auto subcommands = app_.get_subcommands();
  if (subcommands.empty()) {
    return complain_and_exit(
        "sluice", rest.empty() ? fmt::format("no command given. Commands: {}. Try: sluice --help",
                                             commands_of(app_))
                               : fmt::format("unknown {} '{}'. Commands: {}. Try: sluice --help",
                                             rest[0].starts_with('-') ? "option" : "command",
                                             rest[0], commands_of(app_)));
  }
  const std::string who = "sluice " + subcommands[0]->get_name();
  // A name may be missing because the word that was meant as the name looks like an option.
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (!rest.empty() && (is_extra || has_unknown_option(rest))) {
    return complain_and_exit(who, complaint_about(rest, *subcommands[0]));
  }
  const std::string text = error.what();
  if (text.ends_with(" missing")) {  // "--json: 1 required FILE missing"
    return complain_and_exit(who, text.substr(0, text.find(':')) + " needs a value");
  }
  return complain_and_exit(who, text);
}

// Prints the help of one subcommand, or the help of `sluice`, as --help does.
int Commands::help() const {
  if (help_topic_.empty()) {  // app_.help() would print the help of the subcommand `help`
    write_output(
        app_.get_formatter()->make_help(&app_, app_.get_name(), CLI::AppFormatMode::Normal));
    return 0;
  }
  for (const CLI::App* command : app_.get_subcommands({})) {
    if (command->get_name() != help_topic_) continue;
    write_output(command->help(app_.get_name()));
    return 0;
  }
  return complain_and_exit("sluice help", fmt::format("unknown command '{}'. Commands: {}.",
                                                      help_topic_, commands_of(app_)));
}

int Commands::parse_and_start(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + std::min(argc, 1), argv + argc);
  const std::string_view name = first_name(words);
  for (const Command& command : commands_) {
    if (!command.elsewhere || command.app->get_name() != name) continue;
    return start_command("sluice " + command.app->get_name(), command.start);
  }
  add_help();
  const auto all = app_.get_subcommands({});
  const auto named = std::ranges::find(all, name, &CLI::App::get_name);
  const std::string who = named == all.end() ? "sluice" : "sluice " + std::string(name);
  if (const std::string_view option = first_without_value(words); !option.empty()) {
    return complain_and_exit(
        who, fmt::format("{}= ends with '=': give a value, or leave the '=' out", option));
  }
  const std::string_view flag = flag_with_value(words, named == all.end() ? app_ : **named);
  if (!flag.empty()) {
    const std::size_t end = flag.find('=');
    return complain_and_exit(who, fmt::format("{} takes no value: leave '{}' out",
                                              flag.substr(0, end), flag.substr(end)));
  }
  take_whole_words(app_);
  std::vector<std::string> kept = kept_whole({words.rbegin(), words.rend()});
  try {
    app_.parse(kept);  // which takes them from the last to the first
  } catch (const CLI::ParseError& error) {
    return explain(error);
  }
  for (const Command& command : commands_) {
    if (command.app->parsed()) {
      return start_command("sluice " + command.app->get_name(), command.start);
    }
  }
  return help();
}

int Commands::main(int argc, char** argv) {
  occupy_standard_descriptors();
  return start_command("sluice", [&] { return parse_and_start(argc, argv); });
}

}  // namespace sluice
