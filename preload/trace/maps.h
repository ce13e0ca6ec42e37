// Files that are mapped into memory.
#pragma once

namespace sluice::preload {

// Once the log has begun, also in a forked child.
void begin_maps();

// Before the log ends: what waiting for mapped files came to.
void count_faults();

}  // namespace sluice::preload
