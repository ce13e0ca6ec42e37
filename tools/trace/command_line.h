// The options of `sluice trace`.
#pragma once

#include <CLI/CLI.hpp>

#include "trace/request.h"

namespace sluice::trace {

inline constexpr const char* description =
    "Where a program's I/O time goes, and what could be saved: trace -- CMD ARGS";

// The subcommand, which fills `request` in when it is parsed.
CLI::App* add_command(CLI::App& app, Request& request);

}  // namespace sluice::trace
