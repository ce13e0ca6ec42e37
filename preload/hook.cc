#include "hook.h"

#include "keep_errno.h"
#include "real.h"

namespace sluice::preload {
namespace {

void* function_behind(Hook& hook) {
  void* const known = __atomic_load_n(&hook.function, __ATOMIC_RELAXED);
  if (known != nullptr) return known;
  const RealFunction found = find_real_function(hook.name);
  if (found.stays) __atomic_store_n(&hook.function, found.address, __ATOMIC_RELAXED);
  return found.address;
}

}  // namespace

long Arguments::call() const {
  using Function = long (*)(long, long, long, long, long, long);
  return reinterpret_cast<Function>(function_behind(*hook))(value[0], value[1], value[2], value[3],
                                                            value[4], value[5]);
}

// Returns the function to which the hook jumps.
extern "C" [[gnu::visibility("hidden"), gnu::used]] void* sluice_work_before(
    const Arguments& arguments) {
  const KeepErrno kept;
  reinterpret_cast<void (*)(const Arguments&)>(arguments.hook->work)(arguments);
  return function_behind(*arguments.hook);
}

}  // namespace sluice::preload

// Each hook jumps to sluice_before or sluice_around. The address of its Hook is in a register that
// no argument uses (r11, x16). Both save the Arguments. Before a function with any parameters,
// floating-point registers may have arguments too; on x86-64, al is the number of such registers.
#if defined(__x86_64__)
asm(R"(
  .macro sluice_begin kind
  .type sluice_\kind, @function
sluice_\kind:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  .irp register, rax, rbp, r11, r9, r8, rcx, rdx, rsi, rdi
  pushq %\register
  .endr
  movq %rsp, %rdi
  .endm

  .macro sluice_end kind
  leave
  .cfi_def_cfa %rsp, 8
  .cfi_restore %rbp
  .endm

  .text
  .globl sluice_before, sluice_around
  .hidden sluice_before, sluice_around
  sluice_begin before
  subq $136, %rsp
  .irp number, 0, 1, 2, 3, 4, 5, 6, 7
  movaps %xmm\number, 16*\number(%rsp)
  .endr
  call sluice_work_before
  movq %rax, %r11
  .irp number, 0, 1, 2, 3, 4, 5, 6, 7
  movaps 16*\number(%rsp), %xmm\number
  .endr
  addq $136, %rsp
  .irp register, rdi, rsi, rdx, rcx, r8, r9
  popq %\register
  .endr
  movq -8(%rbp), %rax
  sluice_end
  jmp *%r11
  .cfi_endproc
  .size sluice_before, .-sluice_before

  sluice_begin around
  subq $8, %rsp
  call *8(%r11)
  sluice_end
  ret
  .cfi_endproc
  .size sluice_around, .-sluice_around
)");
#elif defined(__aarch64__)
asm(R"(
  .macro sluice_begin kind
  .type sluice_\kind, %function
sluice_\kind:
  .cfi_startproc
  stp x29, x30, [sp, -224]!
  .cfi_def_cfa_offset 224
  .cfi_offset 29, -224
  .cfi_offset 30, -216
  mov x29, sp
  stp x0, x1, [sp, 16]
  stp x2, x3, [sp, 32]
  stp x4, x5, [sp, 48]
  stp x16, x29, [sp, 64]
  add x0, sp, 16
  .endm

  .macro sluice_end
  ldp x29, x30, [sp], 224
  .cfi_restore 29
  .cfi_restore 30
  .cfi_def_cfa_offset 0
  .endm

  .text
  .globl sluice_before, sluice_around
  .hidden sluice_before, sluice_around
  sluice_begin before
  stp x6, x7, [sp, 80]
  stp q0, q1, [sp, 96]
  stp q2, q3, [sp, 128]
  stp q4, q5, [sp, 160]
  stp q6, q7, [sp, 192]
  str x8, [sp, -16]!
  bl sluice_work_before
  mov x16, x0
  ldr x8, [sp], 16
  ldp x0, x1, [sp, 16]
  ldp x2, x3, [sp, 32]
  ldp x4, x5, [sp, 48]
  ldp x6, x7, [sp, 80]
  ldp q0, q1, [sp, 96]
  ldp q2, q3, [sp, 128]
  ldp q4, q5, [sp, 160]
  ldp q6, q7, [sp, 192]
  sluice_end
  br x16
  .cfi_endproc
  .size sluice_before, .-sluice_before

  sluice_begin around
  ldr x17, [x16, 8]
  blr x17
  sluice_end
  ret
  .cfi_endproc
  .size sluice_around, .-sluice_around
)");
#endif
