// Sums of the amounts in a profile, and what uses and processes have to do with each other.
#include <algorithm>
#include <cstddef>

#include "trace/profile/profile.h"

namespace sluice::trace {

RankShare& RankShare::operator+=(const RankShare& other) {
  time += other.time;
  calls += other.calls;
  bytes += other.bytes;
  return *this;
}

Time& Time::operator+=(const Time& other) {
  copying_s += other.copying_s;
  system_s += other.system_s;
  sleep_s += other.sleep_s;
  return *this;
}

Moment& Moment::operator+=(const Moment& other) {
  written_bytes += other.written_bytes;
  read_bytes += other.read_bytes;
  time += other.time;
  return *this;
}

Amount& Amount::operator+=(const Amount& other) {
  calls += other.calls;
  copies += other.copies;
  bytes += other.bytes;
  failures += other.failures;
  system_calls += other.system_calls;
  system_bytes += other.system_bytes;
  paired_calls += other.paired_calls;
  last_piece_bytes += other.last_piece_bytes;
  repeated += other.repeated;
  far_calls += other.far_calls;
  in_a_row += other.in_a_row;
  cold_bytes += other.cold_bytes;
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] += other.sizes[i];
  time += other.time;
  queued_s += other.queued_s;
  work_before_s += other.work_before_s;
  copying_by_run_s += other.copying_by_run_s;
  number_prints_s += other.number_prints_s;
  by_fputs_s += other.by_fputs_s;
  copying_in_memory_s += other.copying_in_memory_s;
  through_stream_s += other.through_stream_s;
  most_texts_s += other.most_texts_s;
  takes_locks = takes_locks || other.takes_locks;
  other_code = other_code || other.other_code;
  is_shared = is_shared || other.is_shared;
  standard = standard || other.standard;
  printed = printed || other.printed;
  return *this;
}

bool Use::has_several_threads() const {
  const auto of_one_process = [](const auto& a, const auto& b) { return a.first == b.first; };
  return std::ranges::adjacent_find(threads, of_one_process) != threads.end();
}

bool Use::shares_a_process_with(const Use& other) const {
  return std::ranges::any_of(threads, [&](const auto& thread) {
    const auto found = other.threads.lower_bound({thread.first, 0});
    return found != other.threads.end() && found->first == thread.first;
  });
}

const Process* process_at(const Profile& profile, int place) {
  const auto index = static_cast<std::size_t>(place) - 1;
  return index < profile.processes.size() ? &profile.processes[index] : nullptr;
}

const Process* first_process_of(const Profile& profile, const Use& use) {
  return use.threads.empty() ? nullptr : process_at(profile, use.threads.begin()->first);
}

Amount Profile::total() const {
  Amount sum;
  for (const Use& use : uses) sum += use.amount;
  return sum;
}

Time Profile::time() const {
  Time sum;
  for (const Use& use : uses) sum += use.amount.time;
  return sum;
}

}  // namespace sluice::trace
