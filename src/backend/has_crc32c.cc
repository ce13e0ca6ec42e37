// This function is in a file of its own, so that a program without a Journal need not be linked
// with ISA-L only because its options are checked.
#include "backend/crc32c.h"

namespace sluice {

#ifdef SLUICE_WITH_ISAL
bool has_crc32c() noexcept { return true; }
#else
bool has_crc32c() noexcept { return false; }
#endif

}  // namespace sluice
