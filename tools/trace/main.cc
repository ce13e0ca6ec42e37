// The executable of `sluice trace`.
#include "command_line/commands.h"
#include "trace/command.h"
#include "trace/command_line.h"

int main(int argc, char** argv) {
  sluice::Commands commands;
  sluice::trace::Request request;
  commands.add(sluice::trace::add_command(commands.app(), request),
               [&] { return sluice::trace::run(request); });
  return commands.main(argc, argv);
}
