// The ranks of one job on one machine put what they have recorded together.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "trace/job.h"
#include "trace/record.h"

namespace sluice::trace {

// One for each command of the job. The last of them to end reports for all. No command waits for a
// rank that still runs. A command that is killed hinders no other one.
class Meeting {
 public:
  // Joins the other ranks. Throws std::runtime_error if the folder for temporary files does not
  // allow it.
  explicit Meeting(const Job& job);
  // The last one to leave removes the folder.
  ~Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  // Hands over this rank's record and its folder of logs. True for one command: it reports
  // records(). If some ranks have not joined yet, waits for them for `patience` and not longer,
  // because it may be that they never join. Throws std::runtime_error.
  bool is_last(const Record& record, std::chrono::milliseconds patience = std::chrono::seconds(10));

  // Those that were handed over, in the order of the ranks.
  std::vector<Record> records() const;

 private:
  enum class Outcome { wait, leave, report };
  void enter(const std::string& folder);
  void join();
  Outcome outcome(bool is_late) const;

  const Job job_;
  std::string folder_;  // of the job
  int entered_ = -1;    // locks the folder, shared, as long as this command lives
  std::string group_;   // the folder of the ranks that report together
  int mark_ = -1;       // locks this rank's folder as long as this command lives
  bool reports_ = false;
};

}  // namespace sluice::trace
