// How long this machine takes to let another thread go on.
#pragma once

namespace sluice::trace {

// The processor time of one thread's word to another one that waits for it: the first one goes to
// sleep, and the other one wakes. Two threads take turns some thousand times, which takes about 20
// milliseconds. 0 if no thread can be started. By the clock, it would be longer on a busy machine.
double measured_switch_s();

}  // namespace sluice::trace
