// A result of `sluice trace --json`, read back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "machine/disturbance.h"

namespace sluice::trace {

struct Cost {
  std::uint64_t calls = 0;
  std::uint64_t system_calls = 0;
  std::uint64_t system_bytes = 0;
  std::uint64_t cold_bytes = 0;
  double io_s = 0;  // copying, working in the kernel, and waiting
  Cost& operator+=(const Cost& other);
};

struct TracedSite {
  std::string call;      // the C library's function
  std::string function;  // the program's function; without symbols, the program
  std::string line;      // where in the function or program: "file.cc:12" or "+0x4a"; or empty
  std::string file;
  Cost cost{};
};

// "f() at file.cc:12", as in the report of a trace.
std::string place_of(const TracedSite& site);

struct TracedAdvice {
  std::string id;
  std::string place;                      // the place at which most can be saved
  std::string file;                       // the file at which most can be saved
  std::uint64_t places = 1;               // the number of all places of the advice
  std::uint64_t files = 1;                // the number of all files of the advice
  std::vector<std::size_t> call_sites{};  // indexes of TracedResult::sites
  double saved_s = 0;                     // predicted
  double least_saved_s = 0;               // smaller than saved_s if the prediction is uncertain
  double at_once = 1;                     // the threads that share the saving
};

struct TracedResult {
  std::string path;  // of the JSON file
  std::vector<std::string> command{};
  std::string end{};  // "exit code 0", "signal 9", "still running"
  double wall_s = 0;
  Cost total{};
  std::vector<TracedSite> sites{};
  std::vector<TracedAdvice> advice{};
  std::vector<std::string> problems{};
  Disturbance disturbance{};
};

// Throws std::runtime_error with one line that says what is wrong with the file and what to do.
TracedResult read_traced_result(const std::string& path);

// Does the same with the contents of the file.
TracedResult traced_result_of(const std::string& path, std::string_view json);

}  // namespace sluice::trace
