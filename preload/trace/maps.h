// Files that are mapped into memory.
#pragma once

namespace sluice::preload {

// To be called once the log has begun, also in a forked child.
void begin_maps();

// To be called before the log ends: finds the time that was spent waiting for mapped files.
void count_faults();

}  // namespace sluice::preload
