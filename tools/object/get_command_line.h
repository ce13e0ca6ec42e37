// The options of `sluice get`.
#pragma once

#include <CLI/CLI.hpp>

#include "cat/request.h"

namespace sluice::get {

inline constexpr const char* description =
    "Write objects of an object store to standard output: get s3://BUCKET/NAME...";

// The subcommand, which fills `request` in when it is parsed.
CLI::App* add_command(CLI::App& app, cat::Request& request);

}  // namespace sluice::get
