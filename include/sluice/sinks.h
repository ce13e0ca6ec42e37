// Sinks that wrap another Sink and own it: they count the bytes, limit them, add up a checksum or
// write to two targets. A further Sink, the null Sink, keeps nothing.
//
//   std::uint64_t bytes = 0;
//   std::unique_ptr<Sink> sink;
//   if (Status status = open_file_sink("run.bin", {}, sink); !status.ok()) return status;
//   sink = make_counting_sink(make_limiting_sink(std::move(sink), 1 << 30), bytes);
//   if (Status status = writer.open(std::move(sink)); !status.ok()) return status;
//
// Unless its function says otherwise, a wrapping Sink behaves like the Sink that it wraps. This
// holds for names, positions, lines for a terminal, write-behind, durability, and replacing a file
// in one step.
//
// A variable that a wrapping Sink writes to, such as `bytes` above, must outlive the Sink. The
// variable covers the bytes that have reached the target, so read it after a flush() or close().
//
// If a Sink that is to be wrapped is null, or if there is no memory, the functions return null.
// Writer::open reports null as ENOMEM.
#pragma once

#include <cstdint>
#include <memory>

#include "sluice/checksum.h"
#include "sluice/sink.h"

namespace sluice {

// Accepts all bytes at any position, and keeps no byte.
std::unique_ptr<Sink> make_null_sink();

// Adds 1 to `bytes` for each byte that reaches the target. The bytes of Writer::write_at count too.
std::unique_ptr<Sink> make_counting_sink(std::unique_ptr<Sink> to, std::uint64_t& bytes);

// Limits the target to `max_bytes` bytes from the position where writing starts. Every byte before
// this limit is written. The first byte at or beyond the limit fails with EFBIG and "the limit of
// ... bytes is reached"; the failure has the position of this byte.
std::unique_ptr<Sink> make_limiting_sink(std::unique_ptr<Sink> to, std::uint64_t max_bytes);

// Adds the bytes to `checksum` in the order in which they reach the target. This Sink has no
// positions, even if the target has. seek() and write_at() fail with ESPIPE, because otherwise
// bytes that are written over would count.
std::unique_ptr<Sink> make_checksumming_sink(std::unique_ptr<Sink> to, Checksum& checksum);

// Writes all bytes to both Sinks, first to `first`. position() of the Writer is the position in
// `first`. The tee Sink has positions if both Sinks have them. A sync or close() is ok if it is ok
// in both. is_ordinary_end() of the tee Sink is always false: if one target wants no more bytes,
// the other target lacks the bytes that follow.
//
// If one Sink fails, the Writer fails with that Sink's Status, and the path says which Sink it was.
// Every byte before the byte that the Status names is in both targets. If both fail, the Writer
// gets the Status of the Sink that failed at the earlier byte, and its message tells of the other
// failure too.
//
// Two files that are replaced atomically are published one after the other. Each file is whole, but
// a crash between the two steps may leave one new file and one old file. A failure to replace the
// second file leaves the same: close() fails and names the second file, and the first file is
// already the new one. A file that is replaced atomically cannot be written together with a file
// that is not: every write fails with EINVAL.
std::unique_ptr<Sink> make_tee_sink(std::unique_ptr<Sink> first, std::unique_ptr<Sink> second);

}  // namespace sluice
