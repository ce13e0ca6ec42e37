// Files that are mapped into memory.
#pragma once

namespace sluice::preload {

// Once the record has begun, also in a forked child.
void begin_maps();

// Before the record ends: what waiting for mapped files came to.
void count_faults();

}  // namespace sluice::preload
