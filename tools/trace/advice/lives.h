// The processes of a run, and which of them started which.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

#include "trace/profile/profile.h"

namespace sluice::trace {

inline constexpr std::size_t many_starts = 10;

// Making a process is what costs if it is at least this share of the process's work.
inline constexpr double least_share_of_start = 0.2;

// The place of advice about the programs that a program starts.
std::string place_of_starts_by(const std::string& program);

// A process with all programs that it became.
struct Life {
  const Process* last = nullptr;
  std::size_t programs = 0;
  double wall_s = 0;
  double own_start_s = 0;  // what its last program takes to start, beyond what any program takes

  void add(const Process& process);
  bool is_short() const;
  double work_s() const { return std::max(0.0, last->processor_s() - last->begun_s); }
};

class Lives {
 public:
  explicit Lives(const Profile& profile);

  const std::map<int, Life>& all() const { return lives_; }
  const Life& of(int number) const { return lives_.at(number); }

  // True for a process that fork made, and that became no other program: a subshell. It begins its
  // log after less work than any program.
  bool is_copy(const Life& life) const;

  // The program that has started this process. Empty if it has no log.
  std::string starter_of(int number) const;

  // The process that has started many programs, of which this process is one or works for one. 0 if
  // there is none.
  int origin_of(const Life& life) const;

  // The nearest process before it that is no copy. 0 if it has no log.
  int starter_of(const Life& life) const;

 private:
  bool starts_many(int number) const;

  const double least_begun_s_;
  std::map<int, Life> lives_;
  std::map<int, std::size_t>
      starts_;  // by process: the programs that it or its copies have started
};

}  // namespace sluice::trace
