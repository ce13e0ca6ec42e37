#include "bench/command_line.h"

#include <fmt/format.h>

#include <string>

#include "bench/command.h"
#include "bench/experiments/registry.h"
#include "bench/table.h"
#include "command_line/options.h"

namespace sluice::bench {

CLI::App* add_command(CLI::App& app, Request& request) {
  CLI::App* const command = app.add_subcommand("bench", description);
  command->add_option("EXPERIMENT", request.words,
                      "What to measure; all when none is named. `replay FILE...` takes files of "
                      "recorded write sizes");
  // CLI11 ends the subcommand at a `--` that comes when each positional has had a word. This one
  // never has: EXPERIMENT takes them all.
  command
      ->add_option_function<std::string>(
          "FILE", [](const std::string&) {}, "Behind `replay`: a file of recorded write sizes")
      ->type_name("");
  command->add_option("--dir", request.directory, "The folder whose file system is measured")
      ->check(refuse_no_name)
      ->type_name("DIR")
      ->capture_default_str()
      ->take_last();
  command
      ->add_option("--rows", request.rows,
                   "Only the strategies whose names contain TEXT, beside limits and baselines; may "
                   "be repeated")
      ->check(refuse_no_name)
      ->type_name("TEXT")
      ->allow_extra_args(false);
  add_quantity(*command, "--size", request.size_bytes,
               "Bytes that each strategy moves, such as 64M; each experiment's own by default");
  add_quantity(*command, "--rounds", request.rounds,
               "Counted rounds after the warm-up round; 5 by default, 3 with --quick");
  add_quantity(*command, "--touch-memory", request.touched_memory_bytes,
               "Free memory to touch before each measurement, so that none waits for a virtual "
               "machine's host to bring it back; none by default");
  command->add_flag("--quick", request.quick, "Smaller sizes: all experiments in two minutes");
  command
      ->add_option("--replay", request.replay_files,
                   "A file of recorded write sizes, lines of SIZE COUNT; may be repeated")
      ->check(refuse_no_name)
      ->type_name("FILE")
      ->allow_extra_args(false);
  command->add_option("--text", request.text_file, "Real text for the reading experiments")
      ->check(refuse_no_name)
      ->type_name("FILE")
      ->take_last();
  command->add_option("--json", request.json_file, "Write the results there as well")
      ->check(refuse_no_name)
      ->type_name("FILE")
      ->take_last();
  command->add_option("--html", request.html_file, "Write a page with charts of them to FILE")
      ->check(refuse_no_name)
      ->type_name("FILE")
      ->take_last();
  command->add_flag("--list", request.list,
                    "Print the experiments, or the strategies of those that are named, and end");
  command->footer("Experiments:\n" + list_of(registry()) + "\n" + ratio_definitions());
  return command;
}

}  // namespace sluice::bench
