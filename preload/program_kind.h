// Tells from a program's file whether the loader puts a preloaded object into the program.
//
// This code is compiled into the preloaded objects and into the command, so that both judge alike.
// It makes system calls by `ask`, the caller's form of syscall(2), and uses only the stack, as code
// must between vfork and exec.
#pragma once

#include <stddef.h>
#include <unistd.h>

namespace sluice::preload {

enum class ProgramKind {
  coverable,       // also files that cannot be read or are no program: exec reports these
  gaining_rights,  // it gains the rights of its owner or group, or capabilities
  of_other_word_size,
  for_other_processor,
  statically_linked,
  of_other_c_library,
  address_sanitized,  // the sanitizer ends the program if another library comes first
};

// The bytes of a script that the kernel reads to find its interpreter.
inline constexpr size_t max_interpreter_bytes = 256;
using Interpreter = char[max_interpreter_bytes];

// `folder` is the descriptor argument of openat(2); an empty path stands for that descriptor
// itself. For a script its interpreter is judged, and `interpreter` becomes the interpreter's name;
// otherwise it becomes empty.
ProgramKind program_kind(int folder, const char* path, Interpreter& interpreter,
                         decltype(&::syscall) ask);

}  // namespace sluice::preload
