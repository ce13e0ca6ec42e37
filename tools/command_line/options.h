// Kinds of options that several subcommands have.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace sluice {

// A check for the names of files and folders. A shell variable that is not set gives an empty word,
// and if the name was forgotten, the next option would be taken for it.
std::string refuse_no_name(const std::string& name);

// The same check for a name that is not an option's value. A name that looks like an option comes
// only after `--`, so it is allowed.
std::string refuse_empty_name(const std::string& name);

// An option that takes a number of bytes such as 512M.
CLI::Option* add_quantity(CLI::App& command, const std::string& name, std::uint64_t& value,
                          const std::string& description);

// An option that takes a plain number. `example` is the number that the message for a wrong word
// names.
CLI::Option* add_count(CLI::App& command, const std::string& name, std::uint64_t& value,
                       const std::string& example, const std::string& description);

}  // namespace sluice
