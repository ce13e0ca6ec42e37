// The options of `sluice cat`.
#pragma once

#include <CLI/CLI.hpp>

#include "cat/request.h"

namespace sluice::cat {

inline constexpr const char* description =
    "Write files to standard output; decompress those that are compressed: cat FILE...";

// The subcommand, which fills `request` in when it is parsed.
CLI::App* add_command(CLI::App& app, Request& request);

}  // namespace sluice::cat
