#include "run/command_line.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "command_line/options.h"
#include "command_line/quantity.h"

namespace sluice::run {
namespace {

// What stdio has anyway, and more than anything can gain from.
constexpr std::uint64_t min_buffer_bytes = 4096;
constexpr std::uint64_t max_buffer_bytes = 1 << 30;

void add_buffer(CLI::App& command, Request& request) {
  command
      .add_option_function<std::string>(
          "--buffer",
          [&request](const std::string& text) {
            const auto bytes = parse_quantity(text);
            const bool is_size = bytes && *bytes >= min_buffer_bytes && *bytes <= max_buffer_bytes;
            if (text != "off" && !is_size) {
              throw CLI::ValidationError(
                  "--buffer",
                  fmt::format("'{}' is neither a size from 4K to 1G, such as 64K, nor 'off'",
                              text));
            }
            request.read_buffer_bytes = request.write_buffer_bytes = bytes.value_or(0);
          },
          "A larger buffer, 4K to 1G, for regular files that are read or written in sequence "
          "and have proved large. By default 16K, and for reading only: of what was written, a "
          "kill from outside or a crash would lose more. 'off' leaves every stream its own")
      ->type_name("BYTES")
      ->take_last();
}

}  // namespace

CLI::App* add_command(CLI::App& app, Request& request) {
  CLI::App* const command =
      app.add_subcommand("run", "The same program, its input and output cheaper: run -- CMD ARGS");
  command->add_option("CMD", request.command, "The program and its arguments, behind --")
      ->type_name("CMD ARGS...");
  add_buffer(*command, request);
  command->add_flag("--unlocked", request.unlocked,
                    "Take no stream's lock, although the program has several threads: on your word "
                    "that no two of them use one stream at once");
  command->add_flag(
      "--coalesce", request.coalesce,
      "Gather small write(2) calls to regular files, as std::ofstream makes for every "
      "std::endl. A kill from outside or a crash loses up to 64K that the program had "
      "written; an error is returned by the next write, fsync or close");
  command->add_flag_callback(
      "--no-children", [&request] { request.children = false; },
      "Leave the programs that the program starts as they are");
  command->add_flag("--summary", request.summary,
                    "Say at the end, on standard error, what was accelerated");
  command->add_option("--json", request.json_file, "Write that to FILE as JSON")
      ->check(refuse_no_name)
      ->type_name("FILE")
      ->take_last();
  command->footer(
      "The program's output, exit code and environment are what they would be. Larger buffers and\n"
      "--coalesce act while the program has one thread and no signal handler. By --buffer BYTES "
      "and\n"
      "--coalesce, bytes of a file are seen by others later, and a kill from outside or a crash\n"
      "loses more of what was not flushed. The manual page says how much. What the program asks\n"
      "the kernel for by instructions of its own, not through the C library, cannot be seen:\n"
      "such programs need the default.");
  return command;
}

}  // namespace sluice::run
