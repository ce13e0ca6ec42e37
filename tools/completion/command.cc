#include "completion/command.h"

#include "command_line/command_error.h"
#include "command_line/output.h"
#include "completion/scripts.h"

namespace sluice::completion {
namespace {

struct Shell {
  const char* name;
  std::string (*script)(const Tree& tree);
};

constexpr Shell known[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

}  // namespace

std::vector<std::string> shells() {
  std::vector<std::string> names;
  for (const Shell& shell : known) names.emplace_back(shell.name);
  return names;
}

std::string list_of_shells(std::string_view word) {
  return "bash, zsh " + std::string(word) + " fish";
}

int run(const Request& request, const Tree& tree) {
  for (const Shell& shell : known) {
    if (request.shell != shell.name) continue;
    write_output(shell.script(tree));
    return 0;
  }
  throw UsageError("unknown shell '" + request.shell + "'. Known are " + list_of_shells("and"));
}

}  // namespace sluice::completion
