// Sinks that do something on the way to another Sink, which they own: two targets, a count, a
// limit, a checksum; and one that keeps nothing.
//
//   std::uint64_t bytes = 0;
//   std::unique_ptr<Sink> sink;
//   if (Status status = open_file_sink("run.bin", {}, sink); !status.ok()) return status;
//   writer.open(make_counting_sink(make_limiting_sink(std::move(sink), 1 << 30), bytes));
//
// All else they pass on: names, positions, lines for a terminal, write-behind, durability, and
// replacing a file in one step. What they write to, like `bytes`, must outlive them and holds the
// bytes that have reached the target: read it after a flush() or close().
// Where one Sink given is null, or there is no memory, the result is null, which Writer::open
// reports as ENOMEM.
#pragma once

#include <cstdint>
#include <memory>

#include "sluice/checksum.h"
#include "sluice/sink.h"

namespace sluice {

// Takes everything and keeps nothing, at any position.
std::unique_ptr<Sink> make_null_sink();

// Adds to `bytes` each byte that reaches the target, those of Writer::write_at too.
std::unique_ptr<Sink> make_counting_sink(std::unique_ptr<Sink> to, std::uint64_t& bytes);

// Lets the target grow by `max_bytes` from where writing starts. The bytes before that are written
// and the next one fails with EFBIG and "the limit of ... bytes is reached".
std::unique_ptr<Sink> make_limiting_sink(std::unique_ptr<Sink> to, std::uint64_t max_bytes);

// Adds the bytes to `checksum` in the order in which they reach the target. It has no positions,
// whatever the target has: seek() and write_at() fail with ESPIPE, because what is written over
// would count.
std::unique_ptr<Sink> make_checksumming_sink(std::unique_ptr<Sink> to, Checksum& checksum);

// Writes everything to both, first to `first`. position() counts as there. Where one fails, the
// Writer fails with that Status, whose path says which; every byte before the one that it names is
// in both. It has positions where both have. A sync or close() is ok when both are. Two files that
// are replaced atomically are published one after the other: each is whole, but a crash in between
// may leave one new and one old. One that is replaced atomically and one that is not cannot be
// written together: every write fails with EINVAL.
std::unique_ptr<Sink> make_tee_sink(std::unique_ptr<Sink> first, std::unique_ptr<Sink> second);

}  // namespace sluice
