// What the functions of languages cost for a call beside their system calls.
#pragma once

#include <string_view>

#include "preload/trace/log.h"

namespace sluice::trace {

// The most seconds that an ordinary function of the language is known to work around one small
// system call of this kind, beyond the work of a program that makes few large calls. A language
// that was not measured works as long as the slowest of the others.
double most_work_around_call_s(std::string_view language, preload::Call call);

}  // namespace sluice::trace
