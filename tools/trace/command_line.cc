#include "trace/command_line.h"

#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

#include "command_line/offers.h"
#include "command_line/options.h"

namespace sluice::trace {
namespace {

// Takes 0, 0.5, 12 and the like, without a sign or an exponent.
double seconds_of(const char* option, const std::string& text) {
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [read_to, error] =
      std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
  if (error != std::errc() || read_to != end || !std::isfinite(seconds) || std::signbit(seconds)) {
    throw CLI::ValidationError(option,
                               "'" + text + "' is not a number of seconds, such as 0.5 or 10");
  }
  return seconds;
}

void add_limit(CLI::App& command, Request& request) {
  command
      .add_option_function<std::string>(
          "--fail-over",
          [&request](const std::string& text) {
            request.fail_over_s = seconds_of("--fail-over", text);
          },
          "Exit with 3 if the program succeeds and more than SECONDS could be saved in total; with "
          "--compare, if the I/O time has grown by more than SECONDS from BEFORE to AFTER")
      ->type_name("SECONDS")
      ->take_last();
}

void add_for(CLI::App& command, Request& request) {
  command
      .add_option_function<std::string>(
          "--for",
          [&request](const std::string& text) {
            request.for_s = seconds_of("--for", text);
            if (*request.for_s == 0) {
              throw CLI::ValidationError("--for", "nothing happens in 0 seconds");
            }
          },
          "Record for SECONDS, then report and leave the program running")
      ->type_name("SECONDS")
      ->take_last();
}

}  // namespace

CLI::App* add_command(CLI::App& app, Request& request) {
  CLI::App* const command = app.add_subcommand("trace", description);
  CLI::Option* const words =
      command->add_option("CMD", request.command, "The program and its arguments, after --")
          ->type_name("CMD ARGS...");
  offer_files_after(*words, "--compare");
  command->add_flag_callback(
      "--compare", [&request] { request.compare = true; },
      "Say what was saved between two results of --json: trace --compare BEFORE AFTER");
  add_name(*command, "--merge", request.merge_folder, "DIR",
           "Keep the record of CMD in DIR, for example of each rank of a job on several "
           "machines; without CMD, report all that DIR has");
  command->add_flag_callback(
      "--no-children", [&request] { request.children = false; },
      "Do not record the programs that CMD starts");
  add_name(*command, "--json", request.json_file, "FILE",
           "Write all that was recorded to FILE as JSON");
  add_name(*command, "--html", request.html_file, "FILE",
           "Write a page with charts and a flame graph to FILE");
  add_name(*command, "--sizes", request.sizes_file, "FILE",
           "Write to FILE the sequence of the sizes of all writes to regular files, in the "
           "form that `sluice bench replay FILE` reads");
  add_name(*command, "--stacks", request.stacks_file, "FILE",
           "Write the stacks of the calls to FILE, with the microseconds of each, in the "
           "form that flamegraph.pl and speedscope read");
  add_for(*command, request);
  add_limit(*command, request);
  return command;
}

}  // namespace sluice::trace
