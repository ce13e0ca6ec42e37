// The executable of `sluice bench`; of `sluice recommend`, which measures in the same way; and of
// `sluice completion`, which has to know the experiments.
#include <csignal>

#include "bench/command.h"
#include "bench/command_line.h"
#include "bench/experiments/registry.h"
#include "command_line/commands.h"
#include "completion/command.h"
#include "completion/command_line.h"
#include "completion/whole_command_line.h"
#include "recommend/command.h"
#include "recommend/command_line.h"

int main(int argc, char** argv) {
  sluice::Commands commands;
  sluice::bench::Request request;
  commands.add(sluice::bench::add_command(commands.app(), request), [&] {
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is then an error of the write
    return sluice::bench::run(request, sluice::bench::registry(),
                              sluice::bench::libraries_left_out());
  });
  sluice::recommend::Request recommend;
  commands.add(sluice::recommend::add_command(commands.app(), recommend), [&] {
    std::signal(SIGPIPE, SIG_IGN);
    return sluice::recommend::run(recommend);
  });
  sluice::completion::Request completion;
  commands.add(sluice::completion::add_command(commands.app(), completion), [&] {
    return sluice::completion::run(completion, sluice::completion::whole_command_line());
  });
  return commands.main(argc, argv);
}
