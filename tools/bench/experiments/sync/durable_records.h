// Rows that write records, each durable before the next one is begun: by system calls, by a Writer,
// by the threads of a Journal.
#pragma once

#include <cstdint>
#include <string>

#include "bench/strategy.h"

namespace sluice::bench {

// Rows of one thread write `records` records to the file at `path`, those of several threads more.
Experiment::Group durable_records_group(const std::string& path, std::uint64_t records);

// The most bytes that one of its rows writes.
std::uint64_t max_bytes_of_durable_records(std::uint64_t records);

}  // namespace sluice::bench
