// Copying: from a Reader to a Writer.
//
//   if (Status status = sluice::copy(reader, writer); !status.ok()) return status;
//
// Threads: each Reader and Writer belongs to one thread at a time.
#pragma once

#include <cstdint>

#include "sluice/reader.h"
#include "sluice/status.h"
#include "sluice/writer.h"

namespace sluice {

// Passes on the next bytes of `from`: as many as `bytes` says, or all that are left where these are
// fewer, which is ok. `copied` is the number of bytes that were passed on. Whole blocks of the
// Reader go to the target without being copied once more; smaller pieces may wait in the Writer as
// after every write().
// A failure is the Reader's or the Writer's own, and its operation and path say which. The Reader
// then stands behind the last byte that was passed on, a failed Writer at the first byte that was
// not written. One of them that is not open is EBADF.
Status copy(Reader& from, Writer& to, std::uint64_t bytes, std::uint64_t& copied);
Status copy(Reader& from, Writer& to, std::uint64_t bytes = UINT64_MAX);

}  // namespace sluice
