// The options of `sluice run`.
#pragma once

#include <CLI/CLI.hpp>

#include "run/request.h"

namespace sluice::run {

// The subcommand, which fills `request` in when it is parsed.
CLI::App* add_command(CLI::App& app, Request& request);

}  // namespace sluice::run
