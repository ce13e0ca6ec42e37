#include "object/get_command_line.h"

#include "command_line/options.h"

namespace sluice::get {

CLI::App* add_command(CLI::App& app, cat::Request& request) {
  CLI::App* const command = app.add_subcommand("get", description);
  command->add_option("URI", request.files, "The objects, one after another")
      ->required()
      ->check(refuse_empty_name)
      ->type_name("URI");
  command->footer(
      "The bytes are written as they are; sluice cat decompresses them. Credentials come from the\n"
      "environment, a profile or the role of the machine, never from the URI.");
  return command;
}

}  // namespace sluice::get
