#include "trace/advice/savings.h"

#include <algorithm>

namespace sluice::trace {
namespace {

double io_s(const Profile& profile) {
  double sum = profile.time().total_s();
  for (const Process& process : profile.processes) sum += process.fault_wait_s;
  return sum;
}

// For each use, the time that no earlier advice saves.
class TimeLeft {
 public:
  explicit TimeLeft(const Profile& profile) {
    for (const Use& use : profile.uses) {
      left_s_.push_back(use.amount.time.total_s());
    }
    whole_s_ = left_s_;
  }

  // Returns the seconds that this advice saves in addition to the earlier advice.
  double save(const Advice& advice) {
    const double saved_s = advice.least_s();
    const double left_s = sum_of(left_s_, advice) / advice.at_once;
    const double inside_s = std::min(saved_s, sum_of(whole_s_, advice) / advice.at_once);
    const double taken_s = std::min(inside_s, left_s);
    if (taken_s > 0) {
      for (const std::size_t use : advice.uses) left_s_[use] *= 1 - taken_s / left_s;
    }
    return taken_s + saved_s - inside_s;
  }

 private:
  static double sum_of(const std::vector<double>& times_s, const Advice& advice) {
    double sum = 0;
    for (const std::size_t use : advice.uses) sum += times_s[use];
    return sum;
  }

  std::vector<double> left_s_;
  std::vector<double> whole_s_;
};

}  // namespace

double saved_together_s(const Profile& profile, const std::vector<Advice>& advice) {
  TimeLeft left(profile);
  double of_calls_s = 0;
  double others_s = 0;
  for (const Advice& each : advice) {
    (each.uses.empty() ? others_s : of_calls_s) += left.save(each);
  }
  return std::min(of_calls_s, io_s(profile)) + others_s;
}

}  // namespace sluice::trace
