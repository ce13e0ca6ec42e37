#include "sluice/checksum.h"

#include "backend/crc32c.h"

namespace sluice {

void Crc32c::add(BytesView bytes) { value_ = crc32c(value_, bytes); }

}  // namespace sluice
