// How much longer operator>> takes than the same work on a text in memory.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace sluice::trace {

// Seconds for each byte of a text. The trace does not see what the program makes of a word.
struct ExtractionCost {
  double as_words_s = 0;    // if it takes every word as a std::string
  double as_numbers_s = 0;  // if it takes as a number whatever begins like one

  double least_s() const { return as_words_s < as_numbers_s ? as_words_s : as_numbers_s; }
  double most_s() const { return as_words_s < as_numbers_s ? as_numbers_s : as_words_s; }
};

using ExtractionCosts = std::map<std::size_t, ExtractionCost>;  // by file

// Measures it on this machine, with words from the middle of the file. Takes a few milliseconds.
// Nothing if the file cannot be read, or if its words are few or no text.
std::optional<ExtractionCost> measured_extraction_cost(const std::string& path);

}  // namespace sluice::trace
