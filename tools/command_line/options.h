// Kinds of options that several subcommands have.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace sluice {

// A check for an option's value that names a file or folder. It refuses an empty word, which an
// unset shell variable gives, and a word that begins with '-', because the user may have forgotten
// the name.
std::string refuse_no_name(const std::string& name);

// A check for a name that is not an option's value. It refuses an empty word and "-". Other names
// may begin with '-', because they then come after `--`.
std::string refuse_empty_name(const std::string& name);

// A check for a name that must be a path. The message shows nothing behind the scheme of the URI,
// because it may hold a password.
std::string refuse_uri(const std::string& name);

// An option that names one file or folder; the last one counts. `kind` is the name of the value in
// --help, such as FILE.
CLI::Option* add_name(CLI::App& command, const std::string& option, std::string& value,
                      const std::string& kind, const std::string& description);

// An option that takes a number of bytes such as 512M.
CLI::Option* add_quantity(CLI::App& command, const std::string& name, std::uint64_t& value,
                          const std::string& description);

// An option that takes a plain number. `example` is the number that the message about a wrong value
// shows.
CLI::Option* add_count(CLI::App& command, const std::string& name, std::uint64_t& value,
                       const std::string& example, const std::string& description);

}  // namespace sluice
