// Kinds of options that several subcommands have.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace sluice {

// A check for files and folders: a shell variable that is not set gives an empty word, and where
// the name was forgotten the next option would be taken for it.
std::string refuse_no_name(const std::string& name);

// The same for a name that is no option's value: what looks like an option is a name behind `--`
// only, and gets here no other way.
std::string refuse_empty_name(const std::string& name);

// An option that takes a number such as 512M.
CLI::Option* add_quantity(CLI::App& command, const std::string& name, std::uint64_t& value,
                          const std::string& description);

}  // namespace sluice
