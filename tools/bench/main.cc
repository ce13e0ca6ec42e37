// The executable of `sluice bench`.
#include <csignal>

#include "bench/command.h"
#include "bench/command_line.h"
#include "bench/experiments/registry.h"
#include "command_line/commands.h"

int main(int argc, char** argv) {
  sluice::Commands commands;
  sluice::bench::Request request;
  commands.add(sluice::bench::add_command(commands.app(), request), [&] {
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is then an error of the write
    return sluice::bench::run(request, sluice::bench::registry());
  });
  return commands.main(argc, argv);
}
