// The ranks of one job on one machine put what they have recorded together.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "trace/profile/record.h"
#include "trace/recording/job.h"

namespace sluice::trace {

// One for each command of the job. The last of them to end reports for all. No command waits long
// for a rank that still runs. A command that is killed hinders no other one.
//
// When the command of a failed rank ends, the launcher of the job ends all other ranks, with their
// commands. So this command reports for all before it ends, if the others go on running.
class Meeting {
 public:
  // Joins the other ranks. Throws std::runtime_error if the folder for temporary files does not
  // allow it.
  explicit Meeting(const Job& job);
  // The last one to leave removes the folder.
  ~Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  // Shows the others where the logs of this rank will be. `record` is of a program that still runs.
  // Throws std::exception.
  void begin(const Record& record) const;

  // Hands over this rank's record and its folder of logs. True for one command: it reports
  // records(). If some ranks have not joined yet, waits for them for `patience` and not longer,
  // because it may be that they never join. If this rank has failed, waits for the others half a
  // second. Throws std::runtime_error.
  bool is_last(const Record& record, std::chrono::milliseconds patience = std::chrono::seconds(10));

  // Those that were handed over, and those of ranks that still run, in the order of the ranks.
  std::vector<Record> records() const;

 private:
  enum class Outcome { wait, leave, report };
  void enter(const std::string& folder);
  void join();
  std::string open_logs(const std::string& begun, const std::string& own) const;
  Outcome outcome(bool has_failed, std::chrono::milliseconds waited,
                  std::chrono::milliseconds patience) const;

  const Job job_;
  std::string folder_;  // of the job
  int entered_ = -1;    // locks the folder, shared, as long as this command lives
  std::string group_;   // the folder of the ranks that report together
  int mark_ = -1;       // locks this rank's folder as long as this command lives
  bool reports_ = false;
  double wall_s_ = 0;                  // of this rank's program
  mutable std::vector<int> opened_{};  // folders of logs of other ranks
};

}  // namespace sluice::trace
