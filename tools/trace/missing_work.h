// Work of the traced program that the logs do not show.
#pragma once

#include "trace/profile.h"

namespace sluice::trace {

// Adds a problem to the profile for each kind of missing work: of processes that still run, and of
// processes that left no log. `processor_s` is the processor time of the program and of all
// processes that it and its children have waited for.
void note_missing_work(Profile& profile, double processor_s);

}  // namespace sluice::trace
