// The options of `sluice put`.
#pragma once

#include <CLI/CLI.hpp>

#include "put/request.h"

namespace sluice::put {

// The subcommand, which fills `request` in when it is parsed.
CLI::App* add_command(CLI::App& app, Request& request);

// Adds --compress to the subcommand.
void add_compression(CLI::App& command, Request& request);

}  // namespace sluice::put
