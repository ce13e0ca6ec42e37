// What languages cost: to start, and for a call beside its system call.
#pragma once

#include <string_view>

#include "preload/trace/log.h"

namespace sluice::trace {

// The most seconds that an ordinary function of the language is known to work around one small
// system call of this kind, beyond the work of a program that makes few large calls. A language
// that was not measured works as long as the slowest of the others.
double most_work_around_call_s(std::string_view language, preload::Call call);

// The same around the opening and closing of a file to which the program appends.
double most_work_around_opening_s(std::string_view language);

// The least processor time that the interpreter of a language, or the program `jq`, takes to start
// and to end without a script. 0 if it is unknown.
double least_start_s(std::string_view language);

}  // namespace sluice::trace
