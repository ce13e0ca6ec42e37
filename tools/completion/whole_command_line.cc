#include "completion/whole_command_line.h"

#include "bench/command_line.h"
#include "cat/command_line.h"
#include "command_line/commands.h"
#include "completion/command_line.h"
#include "object/get_command_line.h"
#include "put/command_line.h"
#include "recommend/command_line.h"
#include "run/command_line.h"
#include "trace/command_line.h"

namespace sluice::completion {

Tree whole_command_line() {
  Commands commands;
  bench::Request bench;
  bench::add_command(commands.app(), bench);
  run::Request run;
  run::add_command(commands.app(), run);
  put::Request put;
  put::add_compression(*put::add_command(commands.app(), put), put);
  cat::Request cat;
  cat::add_command(commands.app(), cat);
  cat::Request get;
  get::add_command(commands.app(), get);
  trace::Request trace;
  trace::add_command(commands.app(), trace);
  recommend::Request recommend;
  recommend::add_command(commands.app(), recommend);
  Request completion;
  add_command(commands.app(), completion);
  commands.add_help();
  return tree_of(commands.app());
}

}  // namespace sluice::completion
