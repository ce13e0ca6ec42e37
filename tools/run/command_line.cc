#include "run/command_line.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "command_line/options.h"
#include "command_line/quantity.h"

namespace sluice::run {
namespace {

// The smallest size is the size of stdio's own buffers. More than the largest size brings no gain.
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
          "The size of a larger buffer, 4K to 1G, for regular files that are read or written in "
          "sequence and have proved large. By default 16K, and for reading only, because a crash "
          "or a kill from outside would lose more of the written bytes. With 'off' every stream "
          "keeps its own buffer")
      ->type_name("BYTES")
      ->take_last();
}

}  // namespace

CLI::App* add_command(CLI::App& app, Request& request) {
  CLI::App* const command =
      app.add_subcommand("run", "Run an unmodified program with cheaper stdio: run -- CMD ARGS");
  command->add_option("CMD", request.command, "The program and its arguments, after --")
      ->type_name("CMD ARGS...");
  add_buffer(*command, request);
  command->add_flag(
      "--unlocked", request.unlocked,
      "Take no stream's lock although the program has several threads. You promise that "
      "no two threads use one stream at the same time");
  command->add_flag(
      "--coalesce", request.coalesce,
      "Gather small write(2) calls to regular files, such as std::ofstream makes for every "
      "std::endl. A crash or a kill from outside loses up to 64K that the program had written. "
      "The next write, fsync or close returns the error of a gathered write");
  command->add_flag_callback(
      "--no-children", [&request] { request.children = false; },
      "Do not accelerate the programs that CMD starts");
  command->add_flag("--summary", request.summary,
                    "At the end, say on standard error what was accelerated");
  command->add_option("--json", request.json_file, "Write what --summary says to FILE as JSON")
      ->check(refuse_no_name)
      ->type_name("FILE")
      ->take_last();
  command->footer(
      "The program's output, exit code and environment stay its own. Larger buffers and "
      "--coalesce\n"
      "act while the program has one thread and no signal handler. With --buffer BYTES and\n"
      "--coalesce, others see the bytes of a file later, and a crash or a kill from outside loses\n"
      "more of the bytes that were not flushed; the manual page says how much. Do not use these\n"
      "options for a program that makes system calls by instructions of its own, not through the\n"
      "C library: sluice cannot see such calls.");
  return command;
}

}  // namespace sluice::run
