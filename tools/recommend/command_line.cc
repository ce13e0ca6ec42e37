#include "recommend/command_line.h"

#include "command_line/options.h"

namespace sluice::recommend {

CLI::App* add_command(CLI::App& app, Request& request) {
  CLI::App* const command = app.add_subcommand("recommend", description);
  add_name(*command, "--dir", request.directory, "DIR", "The folder whose file system is measured")
      ->capture_default_str();
  command
      ->add_option("FILE", request.sample_file,
                   "A file whose bytes are like the bytes that the program will write; by default "
                   "random bytes, which compression cannot shrink")
      ->check(refuse_empty_name)
      ->check(refuse_uri)
      ->type_name("FILE");
  add_name(*command, "--json", request.json_file, "FILE", "Also write all figures to FILE as JSON");
  command->add_flag("--quick", request.quick,
                    "Write little and measure seldom: takes seconds, and is less sure");
  command->add_flag("--sweep", request.sweep,
                    "Also measure every combination of values, and compare the recommended one "
                    "with the best: takes minutes");
  command->footer(
      "The command writes files in DIR for about a minute, on a slow disk longer, and removes "
      "them. It\n"
      "changes nothing else. Each file is durable when it is closed. A value is recommended if it\n"
      "saves at least 8 % of the time, if this gain is several times its standard error, and if\n"
      "clearly more than half of the rounds show it. Compression is tried with zstd, or with a\n"
      "series of numbers (such as series:double) if that makes FILE clearly smaller; lz4 is not\n"
      "tried.");
  return command;
}

}  // namespace sluice::recommend
