// The options of `sluice completion`.
#pragma once

#include <CLI/CLI.hpp>

#include "completion/request.h"

namespace sluice::completion {

inline constexpr const char* description =
    "Print a script by which a shell completes the words after sluice: completion SHELL";

// The subcommand, which fills `request` in when it is parsed.
CLI::App* add_command(CLI::App& app, Request& request);

}  // namespace sluice::completion
