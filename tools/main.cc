// The command `sluice`: reads the command line and hands over to the subcommand.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "bench/command.h"
#include "bench/command_line.h"
#include "bench/experiments/registry.h"
#include "bench/request.h"
#include "command_line/output.h"
#include "command_line/usage_error.h"
#include "launch/program_file.h"
#include "put/command.h"
#include "put/command_line.h"
#include "run/command.h"
#include "run/command_line.h"
#include "trace/command.h"
#include "trace/command_line.h"

namespace sluice {
namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

int complain_and_exit(std::string_view who, std::string_view what, int exit_code = exit_usage) {
  complain(who, what);
  return exit_code;
}

// A file opened later must not become "standard output": descriptors 0 to 2 that the caller closed
// are taken by something that can neither be read (as empty, say) nor written to.
void occupy_standard_descriptors() {
  int descriptor = 0;
  do {
    descriptor = ::open("/dev/null", O_PATH | O_CLOEXEC);
  } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor > STDERR_FILENO) ::close(descriptor);
}

// "--dir --size ...", so that who mistypes one sees them all.
std::string options_of(const CLI::App& command) {
  std::string names;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->nonpositional()) continue;
    names += fmt::format("{}{}", names.empty() ? "" : " ", option->get_name());
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

// What CLI11 has to say: help and version on standard output, errors on standard error.
int explain(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out;
  std::ostringstream unused;
  if (app.exit(error, out, unused) == 0) {
    print(out.str());
    return 0;
  }
  const std::vector<std::string> rest = app.remaining(true);
  const auto subcommands = app.get_subcommands();
  if (subcommands.empty()) {
    return complain_and_exit(
        "sluice", rest.empty()
                      ? fmt::format("what to do is missing; there are: {}", commands_of(app))
                      : fmt::format("unknown '{}'; there are: {}", rest[0], commands_of(app)));
  }
  const std::string who = "sluice " + subcommands[0]->get_name();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !rest.empty()) {
    const auto option = std::ranges::find_if(
        rest, [](const std::string& word) { return word.starts_with('-') && word != "--"; });
    return complain_and_exit(
        who, fmt::format("unknown option '{}'; there are\n  {}",
                         option == rest.end() ? rest[0] : *option, options_of(*subcommands[0])));
  }
  const std::string text = error.what();
  if (text.ends_with(" missing")) {  // "--json: 1 required FILE missing"
    return complain_and_exit(who, text.substr(0, text.find(':')) + " needs a value");
  }
  return complain_and_exit(who, text);
}

// The help of one subcommand or of all, as --help gives it.
int help_of(const CLI::App& app, const std::string& name) {
  if (name.empty()) {  // app.help() would be that of the subcommand `help`
    print(app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal));
    return 0;
  }
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() != name) continue;
    print(command->help(app.get_name()));
    return 0;
  }
  return complain_and_exit("sluice help",
                           fmt::format("unknown '{}'; there are: {}", name, commands_of(app)));
}

int bench_command(const bench::Request& request) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error like any other
  try {
    return bench::run(request, bench::registry());
  } catch (const UsageError& error) {
    return complain_and_exit("sluice bench", error.what());
  } catch (const std::exception& error) {
    return complain_and_exit("sluice bench", error.what(), exit_failure);
  }
}

// Signals stay as they are: the program inherits them.
int start_command(std::string_view who, const std::function<int()>& command) {
  try {
    return command();
  } catch (const UsageError& error) {
    return complain_and_exit(who, error.what());
  } catch (const ProgramError& error) {
    return complain_and_exit(who, on_one_line(error.what()), error.exit_code());
  } catch (const std::exception& error) {
    return complain_and_exit(who, on_one_line(error.what()), exit_failure);
  }
}

int run_main(int argc, char** argv) {
  CLI::App app("File I/O at the machine's limit", "sluice");
  app.set_version_flag("--version", "sluice " SLUICE_VERSION);
  app.require_subcommand(1);
  bench::Request bench_request;
  run::Request run_request;
  const CLI::App* const bench_app = bench::add_command(app, bench_request);
  const CLI::App* const run_app = run::add_command(app, run_request);
  put::Request put_request;
  const CLI::App* const put_app = put::add_command(app, put_request);
  trace::Request trace_request;
  trace::add_command(app, trace_request);
  std::string topic;
  CLI::App* const help_app = app.add_subcommand("help", "This page, or that of a command");
  help_app->add_option("COMMAND", topic, "The command")->type_name("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain(app, error);
  }
  if (help_app->parsed()) return help_of(app, topic);
  if (bench_app->parsed()) return bench_command(bench_request);
  if (run_app->parsed()) {
    return start_command("sluice run", [&] { return run::run(run_request); });
  }
  if (put_app->parsed()) {
    return start_command("sluice put", [&] { return put::run(put_request); });
  }
  return start_command("sluice trace", [&] { return trace::run(trace_request); });
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
  sluice::occupy_standard_descriptors();
  try {
    return sluice::run_main(argc, argv);
  } catch (const std::exception& error) {
    return sluice::complain_and_exit("sluice", error.what(), sluice::exit_failure);
  }
}
