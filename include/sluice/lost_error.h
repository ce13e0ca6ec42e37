// The lost-error handler: the function that gets a failure if no code can ask for that failure any
// more.
#pragma once

#include "sluice/status.h"

namespace sluice {

// Receives these failures:
//  - the failure of a Writer or Reader that was destroyed while it was open, if no call has given
//    the failure to the program. A Writer that replaces a file atomically and was not closed fails
//    for this reason.
//  - the failure of a Journal that was destroyed while it was open, even if a call has given the
//    failure to one thread, because other threads may use the Journal too
//  - the failure of a Writer that refused bytes because it was not open (see sluice/writer.h)
//  - the failure of a standard stream that could not be attached, if no call has given the failure
//    to the program (see sluice/standard_streams.h)
//  - each failure that report_lost_error() is called with
// `context` is the pointer that was given with the handler. The handler is called in the thread
// that destroys the object, that opens the Writer anew after it has refused bytes, or that calls
// report_lost_error(). The handler must not throw.
using LostErrorHandler = void (*)(const Status& status, void* context);

// Makes `handler` the lost-error handler of the process. nullptr restores the default handler,
// which prints one line on standard error.
// Threads: any thread may call this at any time. A failure that is reported meanwhile goes to the
// old handler or to the new one, each with its own context.
void set_lost_error_handler(LostErrorHandler handler, void* context = nullptr) noexcept;

// Gives `status` to the lost-error handler. A Sink of your own, or another object that ends without
// a caller, reports its failure so.
// Threads: any thread may call this at any time.
void report_lost_error(const Status& status);

}  // namespace sluice
