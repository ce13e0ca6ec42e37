// The options of `sluice bench`.
#pragma once

#include <CLI/CLI.hpp>

#include "bench/request.h"

namespace sluice::bench {

inline constexpr const char* description =
    "Every strategy to write and read files, side by side on a disk";

// Adds the subcommand, which fills in `request` when the command line is parsed.
CLI::App* add_command(CLI::App& app, Request& request);

}  // namespace sluice::bench
