// The options of `sluice recommend`.
#pragma once

#include <CLI/CLI.hpp>

#include "recommend/request.h"

namespace sluice::recommend {

inline constexpr const char* description =
    "Measure which options of a Writer are the fastest in a folder";

// The subcommand, which fills `request` in when it is parsed.
CLI::App* add_command(CLI::App& app, Request& request);

}  // namespace sluice::recommend
