#include "completion/command_line.h"

#include "command_line/offers.h"
#include "completion/command.h"

namespace sluice::completion {

CLI::App* add_command(CLI::App& app, Request& request) {
  CLI::App* const command = app.add_subcommand("completion", description);
  CLI::Option* const shell =
      command->add_option("SHELL", request.shell, "The shell: " + list_of_shells("or"))
          ->required()
          ->type_name("");
  offer_words(*shell, shells());
  command->footer(
      "A package of sluice has installed these scripts. To try one in the shell that runs:\n"
      "  bash, zsh: source <(sluice completion bash)    with the name of the shell\n"
      "  fish:      sluice completion fish | source");
  return command;
}

}  // namespace sluice::completion
