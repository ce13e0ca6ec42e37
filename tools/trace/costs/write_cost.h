// How long this machine takes for a small write.
#pragma once

namespace sluice::trace {

// The processor time of a write of one byte to a file in memory, which no write of a few bytes to
// any file falls short of by much. Takes about a millisecond. 0 if no such file can be made.
double measured_write_s();

}  // namespace sluice::trace
