// Apart from the checksums: a program without a Journal asks for its options to be checked, and
// need not be linked with ISA-L for that.
#include "backend/crc32c.h"

namespace sluice {

#ifdef SLUICE_WITH_ISAL
bool has_crc32c() noexcept { return true; }
#else
bool has_crc32c() noexcept { return false; }
#endif

}  // namespace sluice
