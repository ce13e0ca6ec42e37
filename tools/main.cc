// The command `sluice`. It does short and urgent work itself. Work that needs many libraries is in
// executables of its own.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bench/command_line.h"
#include "cat/command_line.h"
#include "command_line/command_error.h"
#include "command_line/commands.h"
#include "completion/command_line.h"
#include "launch/launch.h"
#include "object/get_command_line.h"
#include "put/command.h"
#include "put/command_line.h"
#include "ranks/executable.h"
#include "recommend/command_line.h"
#include "run/command.h"
#include "run/command_line.h"
#include "sluice/object.h"
#include "trace/command_line.h"

namespace {

#ifdef SLUICE_WITH_OBJECT
constexpr bool has_objects = true;
constexpr const char* arrow_library = SLUICE_ARROW_LIBRARY;
#else
constexpr bool has_objects = false;
constexpr const char* arrow_library = "";
#endif

// The loader's own message about a missing library names neither the reason nor a remedy.
void expect_arrow(const std::string& executable) {
  if (std::filesystem::exists(arrow_library) || sluice::part_starts(executable)) return;
  throw std::runtime_error(std::string(arrow_library) +
                           " is missing: this sluice was built with it, and needs it for objects "
                           "in a store. Copy its folder to the same place on this machine, name "
                           "its folder in LD_LIBRARY_PATH, or build sluice again");
}

const char* executable_for_objects() {
  constexpr const char* executable = "sluice-object";
  if (has_objects) {
    expect_arrow(executable);
    return executable;
  }
  throw std::runtime_error(
      "sluice was built without object stores: install Arrow C++ or the Python package pyarrow "
      "(./dev setup --object), and build sluice again");
}

// True if the folder that is to be measured is in an object store.
bool asks_for_store(int argc, char** argv) {
  constexpr std::string_view option = "--dir";
  bool is_store = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == option && i + 1 < argc) is_store = sluice::is_object_uri(argv[i + 1]);
    if (word.starts_with("--dir=")) is_store = sluice::is_object_uri(word.substr(6));
  }
  return is_store;
}

// Ranks that measure at the same time disturb each other. One of them says so: if another one
// failed too, mpirun could end the job before.
int refuse_ranks(int rank) {
  if (rank != 0) return 0;
  throw sluice::UsageError(
      "mpirun has started several ranks, and each would measure alone and disturb the others: "
      "start sluice bench without mpirun, or measure ranks together by sluice bench ranks");
}

}  // namespace

int main(int argc, char** argv) {
  sluice::Commands commands;
  const auto other = [&](const std::string& executable) {
    return [=]() -> int { sluice::become_part(executable, {argv, argv + argc}); };
  };
  commands.add_elsewhere("bench", sluice::bench::description, [&] {
    if (sluice::ranks::is_asked_for(argc, argv)) {  // which refuses a store itself
      return other(sluice::ranks::executable(argc, argv))();
    }
    if (const std::optional<int> rank = sluice::ranks::rank_of_several())
      return refuse_ranks(*rank);
    return other(asks_for_store(argc, argv) ? executable_for_objects() : "sluice-bench")();
  });
  sluice::run::Request run;
  commands.add(sluice::run::add_command(commands.app(), run),
               [&] { return sluice::run::run(run); });
  sluice::put::Request put;
  CLI::App* const put_command = sluice::put::add_command(commands.app(), put);
  sluice::put::add_compression(*put_command, put);
  const auto objects = [&]() -> int { return other(executable_for_objects())(); };
  commands.add(put_command, [&] {
    if (sluice::is_object_uri(put.file)) return objects();
    return put.compression.empty() ? sluice::put::run(put) : other("sluice-cat")();
  });
  commands.add_elsewhere("cat", sluice::cat::description, [&] {
    const bool has_uri = std::any_of(argv, argv + argc, sluice::is_object_uri);
    return has_uri ? objects() : other("sluice-cat")();
  });
  commands.add_elsewhere("get", sluice::get::description, objects);
  commands.add_elsewhere("trace", sluice::trace::description, other("sluice-trace"));
  commands.add_elsewhere("recommend", sluice::recommend::description, other("sluice-bench"));
  commands.add_elsewhere("completion", sluice::completion::description, other("sluice-bench"));
  return commands.main(argc, argv);
}
