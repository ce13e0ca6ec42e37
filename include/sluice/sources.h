// Sources that do something on the way from another Source, which they own: a count, a limit, a
// checksum; and one that has nothing.
//
//   sluice::Crc32c checksum;
//   std::unique_ptr<Source> source;
//   if (Status status = open_file_source("run.bin", {}, source); !status.ok()) return status;
//   reader.open(make_checksumming_source(std::move(source), checksum));
//
// All else they pass on: names, positions and sizes. What they write to, like `checksum`, must
// outlive them. It holds what the Reader has fetched, which runs ahead of what the Reader has given
// until that comes to the end.
// Where the Source given is null, or there is no memory, the result is null, which Reader::open
// reports as ENOMEM.
#pragma once

#include <cstdint>
#include <memory>

#include "sluice/checksum.h"
#include "sluice/source.h"

namespace sluice {

// Ends at once.
std::unique_ptr<Source> make_null_source();

// Adds to `bytes` each byte that is fetched, those that are fetched twice after a seek too.
std::unique_ptr<Source> make_counting_source(std::unique_ptr<Source> from, std::uint64_t& bytes);

// Ends at byte `max_bytes`, if not before.
std::unique_ptr<Source> make_limiting_source(std::unique_ptr<Source> from, std::uint64_t max_bytes);

// Adds the bytes to `checksum` in the order in which they are fetched. It has no positions,
// whatever `from` has: seek() fails with ESPIPE but where it stays in the Reader's block, and
// skip() reads.
std::unique_ptr<Source> make_checksumming_source(std::unique_ptr<Source> from, Checksum& checksum);

}  // namespace sluice
