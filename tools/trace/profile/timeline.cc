#include "trace/profile/timeline.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace sluice::trace {
namespace {

constexpr double ns = 1e-9;

std::size_t moments_in(const preload::Log& log) {
  if (log.moment_ns == 0 || log.last_ns < log.start_ns) return 0;
  const std::uint64_t moments = (log.last_ns - log.start_ns) / log.moment_ns + 1;
  return std::min<std::uint64_t>(moments, preload::max_moments);
}

// The factors that scale the times of single moments so that they add up to the whole process.
struct Shares {
  Shares(std::span<const preload::Moment> moments, const Time& total) {
    double copying_ticks = 0;
    double sleep_ns = 0;
    for (const preload::Moment& moment : moments) {
      copying_ticks += static_cast<double>(moment.copying_ticks);
      sleep_ns += static_cast<double>(moment.sleep_ns);
    }
    if (copying_ticks > 0) copying_s_a_tick = total.copying_s / copying_ticks;
    if (sleep_ns > 0) sleep_s_a_seen_ns = total.sleep_s / sleep_ns;
  }

  Time of(const preload::Moment& moment) const {
    const double calls_s = ns * static_cast<double>(moment.system_ns + moment.sleep_ns);
    Time time;
    time.copying_s = copying_s_a_tick * static_cast<double>(moment.copying_ticks);
    time.sleep_s = std::min(calls_s, sleep_s_a_seen_ns * static_cast<double>(moment.sleep_ns));
    time.system_s = calls_s - time.sleep_s;
    return time;
  }

  double copying_s_a_tick = 0;
  double sleep_s_a_seen_ns = 0;
};

std::uint64_t end_ns(const ProcessMoments& process) {
  return process.start_ns + process.moment_ns * process.moments.size();
}

std::uint64_t moment_length(std::span<const ProcessMoments> processes, std::uint64_t first_ns) {
  std::uint64_t length = 1;
  std::uint64_t end = first_ns;
  for (const ProcessMoments& process : processes) {
    length = std::max(length, process.moment_ns);
    end = std::max(end, end_ns(process));
  }
  while ((end - first_ns) / length >= max_timeline_moments) length *= 2;
  return length;
}

void add(Timeline& timeline, const ProcessMoments& process, std::uint64_t first_ns) {
  for (std::size_t i = 0; i < process.moments.size(); ++i) {
    const std::uint64_t middle_ns =
        process.start_ns - first_ns + process.moment_ns * i + process.moment_ns / 2;
    const std::size_t place = middle_ns / timeline.moment_ns;
    if (place >= timeline.moments.size()) timeline.moments.resize(place + 1);
    timeline.moments[place] += process.moments[i];
  }
}

}  // namespace

ProcessMoments moments_of(const preload::Log& log, const Time& total) {
  ProcessMoments process{.start_ns = log.start_ns, .moment_ns = log.moment_ns};
  std::vector<preload::Moment> moments;
  for (std::size_t i = 0; i < moments_in(log); ++i) moments.push_back(log.moment(i));
  const Shares shares(moments, total);
  for (const preload::Moment& moment : moments) {
    process.moments.push_back({moment.written_bytes, moment.read_bytes, shares.of(moment)});
  }
  return process;
}

Timeline timeline_of(std::span<const ProcessMoments> processes) {
  Timeline timeline;
  if (processes.empty()) return timeline;
  const std::uint64_t first_ns =
      std::ranges::min_element(processes, {}, &ProcessMoments::start_ns)->start_ns;
  timeline.moment_ns = moment_length(processes, first_ns);
  for (const ProcessMoments& process : processes) add(timeline, process, first_ns);
  return timeline;
}

// The most of these threads that existed at one time. Processes that ran one after the other, as
// those of a loop in a shell, save their times one after the other too. Machines have clocks of
// their own, so processes of several machines may have run at once. So may a process that the
// profile does not have.
double most_threads_at_once(const Profile& profile, const decltype(Use::threads)& threads) {
  std::map<int, double> threads_of;
  for (const auto& [process, thread] : threads) ++threads_of[process];
  // By machine: times, and by how much the number of threads changes.
  std::map<std::string, std::vector<std::pair<double, double>>> changes;
  for (std::size_t i = 0; i < profile.processes.size() && i < profile.moments.size(); ++i) {
    const auto found = threads_of.find(static_cast<int>(i) + 1);
    if (found == threads_of.end()) continue;
    const double start_s = static_cast<double>(profile.moments[i].start_ns) * 1e-9;
    auto& of_machine = changes[profile.processes[i].machine];
    of_machine.emplace_back(start_s, found->second);
    of_machine.emplace_back(start_s + profile.processes[i].wall_s, -found->second);
    threads_of.erase(found);
  }
  double sum = 0;
  for (auto& [machine, of_machine] : changes) {
    std::ranges::sort(of_machine);
    double now = 0;
    double most = 0;
    for (const auto& [time_s, change] : of_machine) most = std::max(most, now += change);
    sum += most;
  }
  for (const auto& [process, count] : threads_of) sum += count;
  return std::max(1.0, sum);
}

// The average number of the program's threads that worked or waited at once. The time of a call
// includes the time in which its thread was ready but had no processor. The savings include this
// time too.
double threads_at_once(const Profile& profile) { return threads_at_once(profile, profile.time()); }

double threads_at_once(const Profile& profile, const Time& calls) {
  double busy_s = calls.sleep_s;
  for (const Process& process : profile.processes) busy_s += process.user_s + process.system_s;
  busy_s = std::max(busy_s, calls.total_s());
  return profile.wall_s > 0 ? std::max(1.0, busy_s / profile.wall_s) : 1.0;
}

double idle_machine_s(const Profile& profile) {
  const auto has_times = [](const Process& process) {
    return process.ended && process.user_s + process.system_s > 0;
  };
  if (profile.processes.empty() || !std::ranges::all_of(profile.processes, has_times))
    return profile.wall_s;
  const Time calls = profile.time();
  double busy_s = calls.sleep_s;
  for (const Process& process : profile.processes) {
    busy_s += process.user_s + process.system_s + process.fault_wait_s + end_of_process_s;
  }
  return std::min(profile.wall_s, busy_s / threads_at_once(profile, calls));
}

}  // namespace sluice::trace
