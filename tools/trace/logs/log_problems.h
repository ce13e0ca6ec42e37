// What a log of a process does not know, in words for the report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "preload/trace/log.h"

namespace sluice::trace {

// The calls that found no room for a usage of their own.
std::uint64_t lost_calls(const preload::Log& log);

// Adds a sentence for each kind of calls, places and bytes that the log leaves out.
void note_what_is_missing(const preload::Log& log, std::vector<std::string>& problems);

}  // namespace sluice::trace
