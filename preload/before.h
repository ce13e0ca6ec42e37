// Hooks that do some work before the C library's function answers the call.
//
// Such a hook knows neither the parameters of the function nor its result. It saves the registers
// in which arguments may be, does its work, restores the registers, and jumps to the function,
// which returns to the caller. So it may stand before a function with any parameters, even with a
// variable number of them, and before vfork(), whose caller must find its own frame on the stack.
#pragma once

namespace sluice::preload {

// The first arguments of the call, if they are integers or addresses, from the first one on.
// If the call has fewer arguments, the further places have any value.
struct Arguments {
  long value[6];

  int number(int place) const { return static_cast<int>(value[place]); }
};

// The assembler text below depends on this layout.
struct HookBefore {
  const char* name;
  void (*work)(const Arguments& arguments);
  void* real_function;  // nullptr until it is looked up
};

// To be called before the program runs: looks up the functions behind the hooks. A hook may be
// called where a look-up is not allowed, for example in a signal handler.
void find_functions_behind_hooks();

}  // namespace sluice::preload

// The first instruction may be jumped to if the processor checks indirect jumps (IBT, BTI).
#if defined(__x86_64__)
#define SLUICE_JUMP_WITH(hook) "endbr64\n leaq " hook "(%rip), %r11\n jmp sluice_work_and_jump\n"
#elif defined(__aarch64__)
#define SLUICE_JUMP_WITH(hook) \
  "hint #34\n adrp x16, " hook "\n add x16, x16, :lo12:" hook "\n b sluice_work_and_jump\n"
#endif

// Begins the definition of a hook's work: SLUICE_WORK(name) { ... arguments ... }
#define SLUICE_WORK(name)                                        \
  extern "C" [[gnu::visibility("hidden"), gnu::used]] void name( \
      [[maybe_unused]] const ::sluice::preload::Arguments& arguments)

// Defines hooks that do this work. `names` are the functions, as one text with commas. The hooks
// leave errno as it was.
#define SLUICE_BEFORE(work, names) SLUICE_BEFORE_IN("sluice_hooks", work, names)

// The same for functions that the C library may lack. They are looked up when they are called.
#define SLUICE_BEFORE_IF_THERE(work, names) SLUICE_BEFORE_IN(".data.sluice", work, names)

#define SLUICE_BEFORE_IN(section, work, names) \
  asm(".irp name, " names "\n"                              \
      ".pushsection .rodata.sluice\n"                       \
      "sluice_name_of_\\name: .string \"\\name\"\n"         \
      ".popsection\n"                                       \
      ".pushsection " section ", \"aw\"\n"                  \
      ".p2align 3\n"                                        \
      "sluice_hook_\\name: .quad sluice_name_of_\\name, " #work ", 0\n" \
      ".popsection\n"                                       \
      ".pushsection .text\n"                                \
      ".globl \\name\n"                                     \
      ".type \\name, %function\n"                           \
      ".p2align 4\n"                                        \
      "\\name: .cfi_startproc\n" SLUICE_JUMP_WITH("sluice_hook_\\name") \
      ".cfi_endproc\n"                                      \
      ".size \\name, .-\\name\n"                            \
      ".popsection\n"                                       \
      ".endr\n")
