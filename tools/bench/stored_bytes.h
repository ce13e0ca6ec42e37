// The size of the file that a strategy has made, where it differs from the bytes that the strategy
// was given: a compressed file.
#pragma once

#include <cstdint>
#include <optional>

namespace sluice::bench {

// A strategy's verify() gives the size to note_stored_bytes(). measure() takes it afterwards.
// Threads: both calls belong to the thread that called verify().
void note_stored_bytes(std::uint64_t bytes);
std::optional<std::uint64_t> take_noted_stored_bytes();

}  // namespace sluice::bench
