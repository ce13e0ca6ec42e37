// How open() treats an old file with Framing::length_crc32c.
#pragma once

#include <cstdint>
#include <optional>

#include "core/journal_format.h"
#include "os/file.h"
#include "sluice/journal.h"
#include "sluice/status.h"

namespace sluice {

// Reads all records of `file`, which has `bytes` bytes, all of them durable. Makes the file end
// with a whole record, durably; an empty file gets its header. EBADMSG if the header or a committed
// record is damaged: then `recovered` says how much is whole, and the file is not changed.
Status recover(os::File& file, std::uint64_t bytes, Recovered& recovered,
               std::optional<JournalFormat>& format);

}  // namespace sluice
