// The executable of `sluice cat`, and of `sluice put --compress`: both need the libraries of the
// formats.
#include "cat/command.h"
#include "cat/command_line.h"
#include "command_line/commands.h"
#include "put/command.h"
#include "put/command_line.h"
#include "put/compressed_file.h"

int main(int argc, char** argv) {
  sluice::Commands commands;
  sluice::cat::Request cat;
  commands.add(sluice::cat::add_command(commands.app(), cat),
               [&] { return sluice::cat::run(cat); });
  sluice::put::Request put;
  CLI::App* const put_command = sluice::put::add_command(commands.app(), put);
  sluice::put::add_compression(*put_command, put);
  commands.add(put_command,
               [&] { return sluice::put::run(put, sluice::put::open_compressed_file); });
  return commands.main(argc, argv);
}
