// The lost-error handler: who is told of a failure that nobody is left to ask for.
#pragma once

#include "sluice/status.h"

namespace sluice {

// Receives the failure of a Writer or Journal that was destroyed while open, and of a Reader that
// was destroyed with a failure nobody had asked for. `context` is what was given with the handler.
// It must not throw, and is called by the thread that destroys.
using LostErrorHandler = void (*)(const Status& status, void* context);

// From now on `handler` is called. nullptr brings the default back, which prints one line on
// standard error. Safe to call from any thread; a failure that is told meanwhile goes to the old
// handler or the new one, each with its own context.
void set_lost_error_handler(LostErrorHandler handler, void* context = nullptr) noexcept;

}  // namespace sluice
