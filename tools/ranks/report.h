// Report: the tables of `sluice bench ranks`, and all times as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ranks/command_line.h"
#include "ranks/experiment.h"
#include "ranks/job.h"
#include "sluice/status.h"

namespace sluice::ranks {

// The first rank prints. On the other ranks every call does nothing.
class Report {
 public:
  // Prints what is measured, and where.
  Report(const Job& job, const Request& request);

  // Prints the table of one experiment, and below it what the table says of sluice.
  void add(const std::string& title, const Job& job, const std::vector<Timed>& timed);
  // Prints what the columns mean.
  void explain() const;
  Status write(const std::string& path) const;

 private:
  const bool is_first_;
  const std::uint64_t rounds_;
  std::vector<Timed> references_;  // that were in a table, without their times
  bool has_again_ = false;
  nlohmann::json json_;
};

}  // namespace sluice::ranks
