// Reads a range of an object, and notices bytes that never came.
#pragma once

#include <arrow/io/interfaces.h>
#include <arrow/result.h>

#include <cstddef>
#include <cstdint>

namespace sluice::object {

// Reads as file.ReadAt() does, and returns the number of bytes. On s3:// Arrow's ReadAt() returns
// the number that it has asked for, even if the answer of the store was shorter, as it is when the
// object was replaced by a shorter one. The rest of `out` then has what the memory had before.
// read_checked() returns a smaller number instead. That number says only that bytes are missing,
// not how many.
//
// A second request is needed if the range ends in a byte that marks the memory: one range of 256.
arrow::Result<std::int64_t> read_checked(arrow::io::RandomAccessFile& file, std::int64_t position,
                                         std::int64_t bytes, std::byte* out);

}  // namespace sluice::object
