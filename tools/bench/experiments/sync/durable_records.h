// Rows that write records. Each record is durable before the next one is begun. The writing is done
// by system calls, by a Writer, or by the threads of a Journal.
#pragma once

#include <cstdint>
#include <string>

#include "bench/strategy.h"

namespace sluice::bench {

// Rows with one thread write `records` records to the file at `path`. Rows with several threads
// write more.
Experiment::Group durable_records_group(const std::string& path, std::uint64_t records);

// The most bytes that a row of the group writes.
std::uint64_t max_bytes_of_durable_records(std::uint64_t records);

}  // namespace sluice::bench
