#include "cat/command_line.h"

namespace sluice::cat {
namespace {

std::string refuse_empty(const std::string& name) {
  return name.empty() ? "the name is empty" : "";
}

}  // namespace

CLI::App* add_command(CLI::App& app, Request& request) {
  CLI::App* const command = app.add_subcommand("cat", description);
  command
      ->add_option(
          "FILE", request.files,
          "The files, one after another; '-' and no FILE at all mean standard input. A FILE "
          "may be the URI of an object, such as s3://BUCKET/NAME")
      ->check(refuse_empty)
      ->type_name("FILE");
  command->footer(
      "The first bytes of a file tell whether it is compressed: by zstd, lz4, gzip or sluice put\n"
      "--compress. Files of lz4 -l are refused. Other files are written as they are. A damaged\n"
      "file is written up to its last whole frame, but a frame of more than 8 MiB is written\n"
      "before its checksum is known. A message on standard error then names the file and the\n"
      "byte, and the exit status is 1.");
  return command;
}

}  // namespace sluice::cat
