#include "run/command_line.h"

#include "command_line/options.h"

namespace sluice::run {

CLI::App* add_command(CLI::App& app, Request& request) {
  CLI::App* const command =
      app.add_subcommand("run", "Run an unmodified program with cheaper stdio: run -- CMD ARGS");
  command->add_option("CMD", request.command, "The program and its arguments, after --")
      ->type_name("CMD ARGS...");
  command->add_flag(
      "--unlocked", request.unlocked,
      "Do not take the locks of streams, even if the program has several threads. You promise that "
      "no two threads use one stream at the same time");
  command->add_flag(
      "--coalesce", request.coalesce,
      "Coalesce small write(2) calls to regular files (make one call of several), such as "
      "std::ofstream makes for every std::endl. A crash or a kill from outside loses up to 64K "
      "that the program had written to each file, also if later writes to other files are kept. "
      "The next write, fsync or close returns the error of a coalesced write");
  command->add_flag_callback(
      "--no-children", [&request] { request.children = false; },
      "Do not accelerate the programs that CMD starts");
  command->add_flag("--summary", request.summary,
                    "At the end, say on standard error what was accelerated");
  add_name(*command, "--json", request.json_file, "FILE",
           "Write what --summary says to FILE as JSON");
  command->footer(
      "The program's output, exit code and environment stay as they are without sluice run.\n"
      "--coalesce acts until the program starts a thread, installs a signal handler, or does\n"
      "another thing after which other code could look at a file too early (--summary names the\n"
      "thing). From then on --coalesce does nothing. Other processes may see the coalesced bytes\n"
      "of a file later. Do not use --coalesce for a program that makes system calls by\n"
      "instructions of its own, not through the C library: sluice cannot see such calls.");
  return command;
}

}  // namespace sluice::run
