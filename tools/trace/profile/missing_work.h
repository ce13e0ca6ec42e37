// Work of the traced program that the logs do not show.
#pragma once

#include "trace/profile/profile.h"

namespace sluice::trace {

// Adds a problem to the profile if processes still run. Returns their processor time, with that of
// the children that they have waited for.
double note_running(Profile& profile);

// Adds a problem to the profile for each program whose code can make calls that no hook sees.
void note_unseen_calls(Profile& profile);

// Adds a problem to the profile for each kind of other work that it lacks: programs that could not
// be reached, and processes that left no log. `processor_s` is the processor time of the program
// and of all processes that it and its children have waited for.
void note_missing_work(Profile& profile, double processor_s);

// The kernel's work for calls of a process, seen or not: neither for its begin, nor to give it new
// pages of memory.
double kernel_s_for_calls(const Process& process);

// Adds a problem to the profile if the kernel has worked for a good part of the run, but not in the
// calls that were recorded, nor to give the processes new pages of memory.
void note_unseen_kernel_work(Profile& profile);

// Notes that a process waited for long outside of the calls in the report.
void note_unseen_waits(Profile& profile);

}  // namespace sluice::trace
