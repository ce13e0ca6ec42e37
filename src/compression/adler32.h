// The checksum Adler-32, as zlib has it. The change of a single bit always changes it.
#pragma once

#include <cstdint>

#include "sluice/bytes.h"

namespace sluice {

std::uint32_t adler32(BytesView bytes);

}  // namespace sluice
