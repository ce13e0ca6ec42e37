// The command `sluice` for Windows.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "put/command.h"
#include "put/command_line.h"
#include "put/request.h"
#include "windows/bench.h"

namespace {

int start(const CLI::App& put_command, const sluice::put::Request& put,
          const sluice::bench::WindowsRequest& bench) {
  try {
    return put_command.parsed() ? sluice::put::run(put) : sluice::bench::run_on_windows(bench);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sluice: %s\n", error.what());
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("File I/O at the machine's limit", "sluice");
  app.set_version_flag("--version", "sluice " SLUICE_VERSION);
  app.allow_windows_style_options(false);  // a path may begin with a slash
  app.require_subcommand(1);
  sluice::put::Request put;
  const CLI::App* const put_command = sluice::put::add_command(app, put);
  sluice::bench::WindowsRequest bench;
  sluice::bench::add_windows_command(app, bench);
  CLI11_PARSE(app, argc, argv);
  return start(*put_command, put, bench);
}
