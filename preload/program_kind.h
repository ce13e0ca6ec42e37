// Whether the loader puts a preloaded object into a program, read from the program's file.
//
// Compiled into the preloaded objects and into the command, so that both judge alike: the kernel is
// asked by `ask`, syscall(2) as the caller wants it called, and nothing but the stack is used, as
// has to be between vfork and exec.
#pragma once

#include <stddef.h>
#include <unistd.h>

namespace sluice::preload {

enum class ProgramKind {
  coverable,       // also what cannot be read, and what is no program: exec will complain
  gaining_rights,  // of its owner, its group or its capabilities
  of_other_word_size,
  for_other_processor,
  statically_linked,
  of_other_c_library,
  address_sanitized,  // its runtime ends the program unless it is the first library
};

// As much of a script as the kernel reads to find its interpreter.
inline constexpr size_t max_interpreter_bytes = 256;
using Interpreter = char[max_interpreter_bytes];

// `folder` is as openat(2) has it; an empty path stands for that descriptor itself. Of a script,
// its interpreter is judged, whose name `interpreter` becomes; else it becomes empty.
ProgramKind program_kind(int folder, const char* path, Interpreter& interpreter,
                         decltype(&::syscall) ask);

}  // namespace sluice::preload
