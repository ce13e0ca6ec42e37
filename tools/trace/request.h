// The options of a command line of `sluice trace`.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sluice::trace {

struct Request {
  std::vector<std::string> command;  // the program and its arguments, or the files to compare
  bool compare = false;
  // The folder that gets the record of the command, or, without a command, has the records.
  std::string merge_folder;
  bool children = true;
  std::string json_file;
  std::string sizes_file;
  std::string html_file;
  std::string stacks_file;
  std::optional<double> fail_over_s;
  std::optional<double> for_s;
};

}  // namespace sluice::trace
