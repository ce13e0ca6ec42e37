#include "bench/command_line.h"

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "bench/command.h"
#include "bench/experiments/registry.h"
#include "bench/table.h"
#include "command_line/offers.h"
#include "command_line/options.h"

namespace sluice::bench {
namespace {

std::vector<std::string> ids_of(std::span<const RegisteredExperiment> known) {
  std::vector<std::string> ids;
  for (const RegisteredExperiment& experiment : known) ids.emplace_back(experiment.id);
  return ids;
}

}  // namespace

CLI::App* add_command(CLI::App& app, Request& request) {
  CLI::App* const command = app.add_subcommand("bench", description);
  CLI::Option* const words =
      command->add_option("EXPERIMENT", request.words,
                          "The experiments to run, by default all. `replay FILE...` takes files of "
                          "recorded write sizes");
  offer_words(*words, ids_of(registry()));
  offer_files_after(*words, "replay");
  // CLI11 ends a subcommand at a `--` if each positional has had a word. EXPERIMENT takes all
  // words, so this positional never has one.
  command
      ->add_option_function<std::string>(
          "FILE", [](const std::string&) {}, "After `replay`: a file of recorded write sizes")
      ->type_name("");
  add_name(*command, "--dir", request.directory, "DIR",
           "The folder whose file system is measured, or the URI of one in an object store")
      ->capture_default_str();
  command
      ->add_option(
          "--rows", request.rows,
          "Run only the strategies whose names contain TEXT, and the limits and baselines that "
          "they are compared with; may be repeated")
      ->check(refuse_no_name)
      ->type_name("TEXT")
      ->allow_extra_args(false);
  add_quantity(*command, "--size", request.size_bytes,
               "Bytes that each strategy moves, such as 64M; by default each experiment chooses");
  add_count(*command, "--rounds", request.rounds, "5",
            "Counted rounds after the warm-up round; by default 5, with --quick 3");
  add_quantity(
      *command, "--touch-memory", request.touched_memory_bytes,
      "Bytes of free memory to touch before each measurement, by default none. Use it on a "
      "virtual machine that gives free memory back to its host: otherwise measurements wait "
      "for that memory");
  command->add_flag("--quick", request.quick,
                    "Use smaller sizes: all experiments take about two minutes");
  command
      ->add_option("--replay", request.replay_files,
                   "A file of recorded write sizes, lines of SIZE COUNT; may be repeated")
      ->check(refuse_no_name)
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_name(*command, "--text", request.text_file, "FILE",
           "A file of real text, for read-lines (in addition), read-whole and compress (instead "
           "of generated text)");
  add_name(*command, "--json", request.json_file, "FILE", "Also write all figures to FILE as JSON");
  add_name(*command, "--html", request.html_file, "FILE", "Also write a page with charts to FILE");
  command->add_flag("--list", request.list,
                    "Print the experiments, or the strategies of the named experiments, and exit");
  command->footer("Experiments:\n" + list_of(registry()) + list_of_others() + "\n" +
                  ratio_definitions());
  return command;
}

}  // namespace sluice::bench
