// Functions that the program calls instead of the C library's.
//
// Most hooks do not know the prototype of their function, so that such a hook is one word in a
// list. There are two kinds. Their work gets the registers in which arguments may be.
//
// - SLUICE_BEFORE: does its work, and jumps to the C library's function, which returns to the
//   caller. Such a hook may stand before a function with any parameters, even with a variable
//   number of them, and before vfork(), whose caller must find its own frame on the stack. It
//   leaves errno as it was.
// - SLUICE_AROUND: its work calls the C library's function and returns the result. The function has
//   up to six parameters, and these and its result are integers or addresses.
//
// SLUICE_HOOK defines a hook with a prototype, for calls that must be fast.
#pragma once

#include <stdint.h>

// Stands before the definition of a hook with a prototype.
#define SLUICE_HOOK extern "C" __attribute__((visibility("default")))

// Returns the value of CALL, which uses `list`: the arguments after the parameter `last`. Needs
// <stdarg.h>.
#define SLUICE_RETURN_WITH_LIST(last, CALL) \
  va_list list;                             \
  va_start(list, last);                     \
  const auto result = CALL;                 \
  va_end(list);                             \
  return result

namespace sluice::preload {

// The assembler text in this file and in hook.cc depends on these layouts.
struct Hook {
  const char* name;
  void (*work)();
  void* function;  // of the C library; nullptr until it is looked up
};

struct Frame {
  const Frame* previous;
  const void* caller;  // a return address
};

// Where a hook was called.
struct Caller {
  const void* address;  // to which the hook returns
  const void* frame;    // the hook's own, or where it would be
};

struct Arguments {
  long value[6];  // has any values in the places behind the last argument
  Hook* hook;
  const Frame* frame;  // the hook's own

  int number(int place) const { return static_cast<int>(value[place]); }
  template <typename Type>
  Type* address(int place) const {
    return reinterpret_cast<Type*>(value[place]);
  }

  const char* text(int place) const { return address<const char>(place); }
  Caller caller() const { return {frame->caller, frame}; }

  // Calls the C library's function.
  long call() const;
};

// Null and small error values are recognised for free. Any other bad address crashes the hook that
// reads there; asking the kernel beforehand would cost a system call.
inline bool may_be_memory(const void* address) {
  constexpr intptr_t first_page_that_linux_gives = 65536;
  return reinterpret_cast<intptr_t>(address) >= first_page_that_linux_gives;
}

}  // namespace sluice::preload

// The first instruction may be jumped to if the processor checks indirect jumps (IBT, BTI).
#if defined(__x86_64__)
#define SLUICE_ENTRY "endbr64\n"
#define SLUICE_JUMP_WITH(hook, kind) "leaq " hook "(%rip), %r11\n jmp sluice_" kind "\n"
#elif defined(__aarch64__)
#define SLUICE_ENTRY "hint #34\n"
#define SLUICE_JUMP_WITH(hook, kind) \
  "adrp x16, " hook "\n add x16, x16, :lo12:" hook "\n b sluice_" kind "\n"
#endif

// Jumps to the function behind the hook if `count` is 0 and the function is known.
#if defined(__x86_64__)
#define SLUICE_JUMP_IF_0(count, hook) \
  "cmpq $0, " count                   \
  "(%rip)\n jne 1f\n"                 \
  "movq 16+" hook                     \
  "(%rip), %r11\n"                    \
  "testq %r11, %r11\n je 1f\n jmp *%r11\n 1:\n"
#elif defined(__aarch64__)
#define SLUICE_JUMP_IF_0(count, hook)                  \
  "adrp x16, " count "\n ldr x16, [x16, :lo12:" count  \
  "]\n cbnz x16, 1f\n"                                 \
  "adrp x16, " hook "+16\n ldr x16, [x16, :lo12:" hook \
  "+16]\n cbz x16, 1f\n"                               \
  "br x16\n 1:\n"
#endif

// Begins the definition of a hook's work: SLUICE_WORK(void, name) { ... arguments ... }. The work
// of SLUICE_BEFORE returns void, that of SLUICE_AROUND long.
#define SLUICE_WORK(RESULT, name)                                  \
  extern "C" [[gnu::visibility("hidden"), gnu::used]] RESULT name( \
      [[maybe_unused]] const ::sluice::preload::Arguments& arguments)

// Define hooks that do this work. `names` are the functions, as one text with commas.
#define SLUICE_BEFORE(work, names) SLUICE_HOOKS("", "before", work, names)
#define SLUICE_AROUND(work, names) SLUICE_HOOKS("", "around", work, names)

// The same for work that does nothing while the number `count` is 0. `count` names a hidden
// variable of 8 bytes in the assembler's text. While it is 0, the hook saves no registers.
#define SLUICE_BEFORE_UNLESS_0(count, work, names) \
  SLUICE_HOOKS(SLUICE_JUMP_IF_0(count, "sluice_hook_\\name"), "before", work, names)
#define SLUICE_HOOKS(first, kind, work, names) \
  asm(".irp name, " names "\n"                              \
      ".pushsection .rodata.sluice\n"                       \
      "sluice_name_of_\\name: .string \"\\name\"\n"         \
      ".popsection\n"                                       \
      ".pushsection .data.sluice, \"aw\"\n"                 \
      ".p2align 3\n"                                        \
      "sluice_hook_\\name: .quad sluice_name_of_\\name, " #work ", 0\n" \
      ".popsection\n"                                       \
      ".pushsection .text\n"                                \
      ".globl \\name\n"                                     \
      ".type \\name, %function\n"                           \
      ".p2align 4\n"                                        \
      "\\name: .cfi_startproc\n" SLUICE_ENTRY first SLUICE_JUMP_WITH("sluice_hook_\\name", kind) \
      ".cfi_endproc\n"                                      \
      ".size \\name, .-\\name\n"                            \
      ".popsection\n"                                       \
      ".endr\n")
