// The bytes that a program moves by putc_unlocked and getc_unlocked. The C library's headers
// compile these two into the program, so no hook sees their calls. Only the call that empties a
// full buffer or fills an empty one is seen.
#pragma once

#include <stdio.h>

#include "log.h"

namespace sluice::preload {

// To be called when putc_unlocked finds the buffer full: counts the bytes in the buffer that no
// hooked function has put there, each as a call of its own. Counts nothing for files that share an
// entry of the log, because it does not say which stream the bytes belong to.
void count_inlined_writes(Usage& usage, const FILE* stream);

// To be called when getc_unlocked finds the buffer empty: counts the bytes of the buffer that no
// hooked function has taken from there, each as a call of its own. Counts nothing for files that
// share an entry.
void count_inlined_reads(Usage& usage, const FILE* stream);

}  // namespace sluice::preload
