// Events that each preloaded object must handle: the program starts another process, or ends.
#pragma once

#include <stdint.h>

namespace sluice::preload {

enum class EndOfHolding : uint8_t;

// From now on another process may have inherited every open file, and may use it.
void before_another_process();

// The program is about to make this system call by itself. It may start a process.
void before_own_call(long number, const long* arguments);

// From now on other code may look at the program's files, or write to them, between any two
// instructions of the program (other_code.cc).
void before_other_code(EndOfHolding why);

// True if a mapping with these arguments shares memory that the program may write to.
bool shares_memory(int protection, int flags, int descriptor);

// The program is about to make a child that no handler of pthread_atfork() tells of.
void before_untold_child();

// This process was forked, and has memory of its own.
void begin_in_child();

// A call that returns no errors is about to close the descriptors from `first` to `last`.
void before_closing(unsigned first, unsigned last);

// The program ends without cleaning up, or becomes another program.
void before_ending();

// The program is about to send a signal to this process (0 if it is not known), which may end the
// program.
void before_signal(int process, int signal);

// exec failed, so the program goes on.
void after_failed_exec();

// Says whether programs that the program starts get the object as well.
bool children_are_covered();

// False if a program that this process starts now, or becomes, surely has no log. Uses only the
// stack, as code must between vfork and exec.
bool may_begin_log();

// Adds `programs` to the number of programs that should have got the object but run without it, or
// that cannot write a log. A call between vfork and exec counts in the parent's log.
void count_out_of_reach(int programs);

}  // namespace sluice::preload
