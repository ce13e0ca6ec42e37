// The command `sluice`. It does short and urgent work itself. Work that needs many libraries is in
// executables of its own.
#include <string>

#include "bench/command_line.h"
#include "cat/command_line.h"
#include "command_line/commands.h"
#include "completion/command_line.h"
#include "launch/launch.h"
#include "put/command.h"
#include "put/command_line.h"
#include "ranks/executable.h"
#include "recommend/command_line.h"
#include "run/command.h"
#include "run/command_line.h"
#include "trace/command_line.h"

int main(int argc, char** argv) {
  sluice::Commands commands;
  const auto other = [&](const std::string& executable) {
    return [=]() -> int { sluice::become_part(executable, {argv, argv + argc}); };
  };
  commands.add_elsewhere("bench", sluice::bench::description, [&] {
    const bool is_of_ranks = sluice::ranks::is_asked_for(argc, argv);
    return other(is_of_ranks ? sluice::ranks::executable(argc, argv) : "sluice-bench")();
  });
  sluice::run::Request run;
  commands.add(sluice::run::add_command(commands.app(), run),
               [&] { return sluice::run::run(run); });
  sluice::put::Request put;
  CLI::App* const put_command = sluice::put::add_command(commands.app(), put);
  sluice::put::add_compression(*put_command, put);
  commands.add(put_command, [&] {
    return put.compression.empty() ? sluice::put::run(put) : other("sluice-cat")();
  });
  commands.add_elsewhere("cat", sluice::cat::description, other("sluice-cat"));
  commands.add_elsewhere("trace", sluice::trace::description, other("sluice-trace"));
  commands.add_elsewhere("recommend", sluice::recommend::description, other("sluice-bench"));
  commands.add_elsewhere("completion", sluice::completion::description, other("sluice-bench"));
  return commands.main(argc, argv);
}
