// Programs that make a connection for each question.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/places/runtime.h"
#include "trace/profile/timeline.h"

namespace sluice::trace {

using preload::Call;

namespace {

// At least so many sockets of one process, each with a few calls.
constexpr std::uint64_t many_connections = 1000;
constexpr std::uint64_t few_calls = 8;

struct Connections {
  std::vector<std::size_t> closings{};  // the uses
  std::set<int> processes{};
  std::uint64_t sockets = 0;
  double closing_s = 0;

  void add(const Profile& profile, std::size_t index) {
    const Use& use = profile.uses[index];
    closings.push_back(index);
    sockets += use.amount.calls;
    closing_s += use.amount.time.system_s;
    for (const auto& [place, thread] : use.threads) processes.insert(place);
  }

  // A server closes sockets too, which its clients have connected.
  void leave_out_accepted(const Profile& profile) {
    std::uint64_t connected = 0;
    for (const int place : processes) {
      const Process* const process = process_at(profile, place);
      if (process != nullptr) connected += process->connections;
    }
    if (connected >= sockets) return;
    closing_s *= static_cast<double>(connected) / static_cast<double>(sockets);
    sockets = connected;
  }
};

Connections connections_of(const Profile& profile) {
  std::vector<std::uint64_t> moves(profile.files.size());
  for (const Use& use : profile.uses) {
    if ((all_reads | all_writes).contains(use.call)) moves[use.file] += use.amount.system_calls;
  }
  Connections all;
  for (std::size_t i = 0; i < profile.uses.size(); ++i) {
    const Use& use = profile.uses[i];
    if (use.call != Call::close || !S_ISSOCK(profile.files[use.file].kind)) continue;
    const Process* const process = first_process_of(profile, use);
    if (process == nullptr || process->connections == 0) continue;
    const std::uint64_t most = few_calls * use.amount.calls;
    if (moves[use.file] > 0 && moves[use.file] <= most) all.add(profile, i);
  }
  all.leave_out_accepted(profile);
  return all;
}

// What the kernel does for these processes in calls that no hook sees, such as connect and accept.
double unseen_kernel_s(const Profile& profile, const std::set<int>& processes) {
  double sum_s = 0;
  for (const int place : processes) {
    const Process* const process = process_at(profile, place);
    if (process != nullptr) sum_s += std::max(0.0, process->system_s - process->time.system_s);
  }
  return sum_s;
}

}  // namespace

std::optional<Advice> connection_for_each(const Profile& profile) {
  const Connections all = connections_of(profile);
  if (all.sockets < many_connections * all.processes.size() || all.closings.empty()) return {};
  const std::size_t largest = *std::ranges::max_element(
      all.closings, {}, [&](std::size_t use) { return profile.uses[use].amount.time.system_s; });
  const Runtime& runtime = runtime_of_stack(profile.sites[profile.uses[largest].site].frames);
  const double at_once = threads_at_once(profile);
  const double unseen_s = unseen_kernel_s(profile, all.processes) / at_once;
  const double closing_s = all.closing_s / at_once;
  return Advice{
      .kind = {"connection-for-each"},
      .saved_s = closing_s + unseen_s,
      .use = largest,
      .seen = fmt::format("{} sockets were closed, each after a few reads and writes",
                          format_count(all.sockets)),
      .why =
          "For each connection the kernel makes and ends a socket at each of the two ends, and "
          "both programs make several system calls. The trace does not see how long connect takes: "
          "the upper end of the prediction includes the kernel's work outside of the calls.",
      .fix =
          "Keep one connection to each server open, and send all questions through it, one after "
          "the other (HTTP: keep-alive, `requests.Session`, an `http.Agent`); or put many "
          "questions into one.",
      .check = "the same command under sluice trace: few sockets are closed",
      .runtime = std::string(runtime.name),
      .is_of_language = runtime.kind == Runtime::Kind::language,
      .least_saved_s = closing_s,
      .by_runtime_s = unseen_s,
      .uses = all.closings,
      .at_once = at_once,
  };
}

}  // namespace sluice::trace
