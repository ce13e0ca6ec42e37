// The command `sluice`: reads the command line and hands over to the subcommand.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "bench/command.h"
#include "bench/experiments/registry.h"
#include "bench/output.h"
#include "bench/quantity.h"
#include "bench/request.h"
#include "bench/table.h"

namespace sluice {
namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

int complain(std::string_view who, std::string_view what, int exit_code = exit_usage) {
  bench::complain(who, what);
  return exit_code;
}

// A file opened later must not become "standard output": descriptors 0 to 2 that the caller closed
// are taken by something that cannot be written to.
void occupy_standard_descriptors() {
  int descriptor = 0;
  do {
    descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor > STDERR_FILENO) ::close(descriptor);
}

// For files and folders: a shell variable that is not set gives an empty word.
std::string refuse_empty(const std::string& name) {
  return name.empty() ? "the name is empty" : "";
}

void add_quantity(CLI::App& command, const std::string& name, std::uint64_t& value,
                  const std::string& description) {
  command
      .add_option_function<std::string>(
          name,
          [name, &value](const std::string& text) {
            const auto quantity = bench::parse_quantity(text);
            if (!quantity) {
              throw CLI::ValidationError(
                  name, "'" + text + "' is no positive whole number, with or without K, M, G, T");
            }
            value = *quantity;
          },
          description)
      ->type_name("NUMBER")
      ->take_last();
}

CLI::App* add_bench(CLI::App& app, bench::Request& request) {
  CLI::App* const command =
      app.add_subcommand("bench", "Every strategy to write and read files, side by side on a disk");
  command->add_option("EXPERIMENT", request.words,
                      "What to measure; all when none is named. `replay FILE...` takes files of "
                      "recorded write sizes");
  command->add_option("--dir", request.directory, "The folder whose file system is measured")
      ->check(refuse_empty)
      ->type_name("DIR")
      ->capture_default_str()
      ->take_last();
  command
      ->add_option("--rows", request.rows,
                   "Only the strategies whose names contain TEXT, beside limits and baselines; may "
                   "be repeated")
      ->check(refuse_empty)
      ->type_name("TEXT")
      ->allow_extra_args(false);
  add_quantity(*command, "--size", request.size_bytes,
               "Bytes that each strategy moves, such as 64M; each experiment's own by default");
  add_quantity(*command, "--runs", request.runs,
               "Counted rounds after the warm-up round; 5 by default, 3 with --quick");
  add_quantity(*command, "--touch-memory", request.touched_memory_bytes,
               "Free memory to touch before each run, so that no run waits for a virtual machine's "
               "host to bring it back; none by default");
  command->add_flag("--quick", request.quick, "Smaller sizes: all experiments in two minutes");
  command
      ->add_option("--replay", request.replay_files,
                   "A file of recorded write sizes, lines of SIZE COUNT; may be repeated")
      ->check(refuse_empty)
      ->type_name("FILE")
      ->allow_extra_args(false);
  command->add_option("--text", request.text_file, "Real text for the reading experiments")
      ->check(refuse_empty)
      ->type_name("FILE")
      ->take_last();
  command->add_option("--json", request.json_file, "Write the results there as well")
      ->check(refuse_empty)
      ->type_name("FILE")
      ->take_last();
  command->add_flag("--list", request.list,
                    "Print the experiments, or the strategies of those that are named, and end");
  command->footer("Experiments:\n" + bench::list_of(bench::registry()) + "\n" +
                  bench::ratio_definitions());
  return command;
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

// What CLI11 has to say: help and version on standard output, errors on standard error.
int explain(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out;
  std::ostringstream unused;
  if (app.exit(error, out, unused) == 0) {
    bench::print(out.str());
    return 0;
  }
  const std::vector<std::string> rest = app.remaining(true);
  const auto subcommands = app.get_subcommands();
  if (subcommands.empty()) {
    return complain("sluice", rest.empty() ? "what to do is missing; there is: bench"
                                           : fmt::format("unknown '{}'; there is: bench", rest[0]));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !rest.empty()) {
    return complain("sluice bench", fmt::format("unknown option '{}'; there are\n  {}", rest[0],
                                                options_of(*subcommands[0])));
  }
  return complain("sluice bench", error.what());
}

int run(int argc, char** argv) {
  CLI::App app("File I/O at the machine's limit", "sluice");
  app.set_version_flag("--version", "sluice " SLUICE_VERSION);
  app.require_subcommand(1);
  bench::Request request;
  add_bench(app, request);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain(app, error);
  }
  return bench::run(request, bench::registry());
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
  sluice::occupy_standard_descriptors();
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error like any other
  try {
    return sluice::run(argc, argv);
  } catch (const sluice::bench::UsageError& error) {
    return sluice::complain("sluice bench", error.what());
  } catch (const std::exception& error) {
    return sluice::complain("sluice bench", error.what(), sluice::exit_failure);
  }
}
