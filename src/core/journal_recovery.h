// What open() makes of a file with Framing::length_crc32c that was there before.
#pragma once

#include <cstdint>
#include <optional>

#include "core/journal_format.h"
#include "os/file.h"
#include "sluice/journal.h"
#include "sluice/status.h"

namespace sluice {

// Reads the records of the `bytes` bytes of `file` through, which are durable, and makes the file
// end with a whole one, durably; what is new gets its header. EBADMSG when the header or a
// committed record is damaged: then `recovered` says what there is, and the file is as it was.
Status recover(os::File& file, std::uint64_t bytes, Recovered& recovered,
               std::optional<JournalFormat>& format);

}  // namespace sluice
