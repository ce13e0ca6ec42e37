#include "trace/command_line.h"

#include "command_line/options.h"

namespace sluice::trace {

CLI::App* add_command(CLI::App& app, Request& request) {
  CLI::App* const command = app.add_subcommand("trace", description);
  command->add_option("CMD", request.command, "The program and its arguments, after --")
      ->type_name("CMD ARGS...");
  command->add_flag_callback(
      "--no-children", [&request] { request.children = false; },
      "Do not record the programs that CMD starts");
  command->add_option("--json", request.json_file, "Write everything that was seen to FILE as JSON")
      ->check(refuse_no_name)
      ->type_name("FILE")
      ->take_last();
  command->add_option("--html", request.html_file, "Write a page with charts to FILE")
      ->check(refuse_no_name)
      ->type_name("FILE")
      ->take_last();
  command
      ->add_option("--sizes", request.sizes_file,
                   "Write to FILE the sequence of the sizes of all writes to regular files, in the "
                   "form that `sluice bench replay FILE` reads")
      ->check(refuse_no_name)
      ->type_name("FILE")
      ->take_last();
  command
      ->add_option("--stacks", request.stacks_file,
                   "Write the stacks of the calls to FILE, with the microseconds of each, in the "
                   "form that flamegraph.pl and speedscope read")
      ->check(refuse_no_name)
      ->type_name("FILE")
      ->take_last();
  return command;
}

}  // namespace sluice::trace
