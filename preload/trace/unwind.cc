// Unwinds the stack by functions of libgcc, which are a part of this object. Loading their library
// would be much of the start of a traced process.
#include <unwind.h>

#include "trace/sites.h"

namespace sluice::preload {
namespace {

_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* data) {
  const bool goes_on = keep_frame(*static_cast<Unwound*>(data), _Unwind_GetIP(context));
  return goes_on ? _URC_NO_REASON : _URC_END_OF_STACK;
}

}  // namespace

void unwind(Unwound& room) { _Unwind_Backtrace(look_at_frame, &room); }

}  // namespace sluice::preload
