// The command line of `sluice`, or of an executable to which `sluice` hands over.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace sluice {

class Commands {
 public:
  Commands();

  // The command line, to which subcommands are added.
  CLI::App& app() { return app_; }

  // Sets the work of a subcommand of app(). `start` runs after the command line is parsed, and
  // returns the exit code.
  void add(const CLI::App* subcommand, std::function<int()> start);

  // Adds a subcommand of another executable, which parses the whole command line again. `start`
  // becomes that executable.
  void add_elsewhere(const std::string& name, const std::string& description,
                     std::function<int()> start);

  // Adds `help`, the last subcommand. main() does this too.
  void add_help();

  // Parses the command line, does the work and returns the exit code. A mistake is reported in one
  // clear line on standard error.
  int main(int argc, char** argv);

 private:
  struct Command {
    const CLI::App* app;
    std::function<int()> start;
    bool elsewhere;
  };

  int parse_and_start(int argc, char** argv);
  int explain(const CLI::ParseError& error) const;
  int help() const;

  CLI::App app_;
  std::string help_topic_;
  std::vector<Command> commands_;
};

}  // namespace sluice
