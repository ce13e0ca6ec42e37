// The whole command line of `sluice`, with the options of every subcommand. `sluice` itself has not
// got all of them, because some subcommands are executables of their own.
#pragma once

#include "completion/tree.h"

namespace sluice::completion {

Tree whole_command_line();

}  // namespace sluice::completion
