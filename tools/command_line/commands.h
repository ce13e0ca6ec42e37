// The command line of `sluice`, or of one of the executables that it hands over to.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace sluice {

class Commands {
 public:
  Commands();

  // For subcommands to be added to.
  CLI::App& app() { return app_; }

  // What a subcommand of app() does once it is parsed; `start` returns the exit code.
  void add(const CLI::App* subcommand, std::function<int()> start);

  // A subcommand that another executable has, which parses the whole command line again: `start`
  // becomes that executable.
  void add_elsewhere(const std::string& name, const std::string& description,
                     std::function<int()> start);

  // Parses, does what was asked for and returns the exit code. What is wrong is told in one clear
  // line on standard error.
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
