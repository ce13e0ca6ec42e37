// How much longer operator>> takes than the same work on a text in memory, and how much longer it
// takes out of a stream that takes each byte from the C library.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "trace/costs/timing.h"

namespace sluice::trace {

// Seconds for each byte of a text. The trace does not see what the program makes of a word: it may
// take each word as a std::string, or as a number what begins like one, or the parts of "3,4.5".
struct ExtractionCost {
  CostRange beside_memory;  // out of a stream with a buffer
  // Out of a stream such as std::cin at first, beside one with a buffer. Nothing if the system
  // gives no file for it.
  std::optional<CostRange> without_buffer;
};

using ExtractionCosts = std::map<std::size_t, ExtractionCost>;  // by file

// Measures it on this machine, with words from the middle of the file. Takes a few milliseconds.
// Nothing if the file cannot be read, or if its words are few or no text.
std::optional<ExtractionCost> measured_extraction_cost(const std::string& path);

}  // namespace sluice::trace
