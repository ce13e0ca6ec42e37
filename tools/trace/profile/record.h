// What one `sluice trace` has recorded: the logs of its program's processes, and how it ran.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/disturbance.h"

namespace sluice::trace {

struct Record {
  std::string logs;  // the folder with the logs
  std::string machine;
  std::optional<unsigned> rank{};
  unsigned ranks = 0;  // of the job; 0 without a job
  std::vector<std::string> command{};
  std::string not_covered{};
  bool covers_children = true;
  int wait_status = 0;
  bool still_runs = false;
  double wall_s = 0;
  double processor_s = 0;  // of the program and of all processes that were waited for
  double processors = 1;   // of the machine
  ProcessorTimes before{};
  ProcessorTimes after{};
  // Added to a time of CLOCK_MONOTONIC, it gives the time of day, which all machines share.
  std::int64_t to_time_of_day_ns = 0;
  double tick_s = 0;  // the length of a tick of the processor's own count; 0: not measured here yet
};

// The values of this machine: its name, its processors and its clocks.
Record record_of_this_machine();

// Copies the logs into a new folder in `parent`, and writes the rest of the record beside them.
// Other commands see the folder when all is there. Throws std::runtime_error.
void keep(const Record& record, const std::string& parent);

// Writes all but the logs into this folder, which has or gets the logs in its folder "logs". Throws
// std::runtime_error.
void write_record(const Record& record, const std::string& folder);

// Reads what write_record() has written. Throws std::runtime_error.
Record read_record(const std::string& folder);

// True if write_record() has written there.
bool has_record(const std::string& folder);

// All records that keep() has put there, in the order of the ranks. Throws std::runtime_error if
// there is none, or if one cannot be read.
std::vector<Record> kept_records(const std::string& parent);

}  // namespace sluice::trace
