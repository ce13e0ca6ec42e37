#include "before.h"

#include <errno.h>

#include "real.h"

// The linker gives these names to the ends of the section sluice_hooks.
extern "C" {
[[gnu::visibility("hidden")]] extern sluice::preload::HookBefore __start_sluice_hooks[];
[[gnu::visibility("hidden")]] extern sluice::preload::HookBefore __stop_sluice_hooks[];
}

namespace sluice::preload {

void find_functions_behind_hooks() {
  for (HookBefore* hook = __start_sluice_hooks; hook < __stop_sluice_hooks; ++hook) {
    __atomic_store_n(&hook->real_function, find_real_function(hook->name), __ATOMIC_RELAXED);
  }
}

// Returns the function to which the hook jumps.
extern "C" [[gnu::visibility("hidden"), gnu::used]] void* sluice_work_before(
    HookBefore& hook, const Arguments& arguments) {
  const int error = errno;
  hook.work(arguments);
  void* real_function = __atomic_load_n(&hook.real_function, __ATOMIC_RELAXED);
  if (real_function == nullptr) {
    real_function = find_real_function(hook.name);
    __atomic_store_n(&hook.real_function, real_function, __ATOMIC_RELAXED);
  }
  errno = error;
  return real_function;
}

}  // namespace sluice::preload

// Each hook jumps here. The address of its HookBefore is in a register that no argument uses (r11,
// x16). Arguments may be in the integer registers and in the floating-point registers. On x86-64,
// al is the number of floating-point registers that have arguments.
#if defined(__x86_64__)
asm(R"(
  .text
  .globl sluice_work_and_jump
  .hidden sluice_work_and_jump
  .type sluice_work_and_jump, @function
sluice_work_and_jump:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $192, %rsp
  movq %rdi, (%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movq %rax, 48(%rsp)
  movaps %xmm0, 64(%rsp)
  movaps %xmm1, 80(%rsp)
  movaps %xmm2, 96(%rsp)
  movaps %xmm3, 112(%rsp)
  movaps %xmm4, 128(%rsp)
  movaps %xmm5, 144(%rsp)
  movaps %xmm6, 160(%rsp)
  movaps %xmm7, 176(%rsp)
  movq %r11, %rdi
  movq %rsp, %rsi
  call sluice_work_before
  movq %rax, %r11
  movq (%rsp), %rdi
  movq 8(%rsp), %rsi
  movq 16(%rsp), %rdx
  movq 24(%rsp), %rcx
  movq 32(%rsp), %r8
  movq 40(%rsp), %r9
  movq 48(%rsp), %rax
  movaps 64(%rsp), %xmm0
  movaps 80(%rsp), %xmm1
  movaps 96(%rsp), %xmm2
  movaps 112(%rsp), %xmm3
  movaps 128(%rsp), %xmm4
  movaps 144(%rsp), %xmm5
  movaps 160(%rsp), %xmm6
  movaps 176(%rsp), %xmm7
  leave
  .cfi_def_cfa %rsp, 8
  .cfi_restore %rbp
  jmp *%r11
  .cfi_endproc
  .size sluice_work_and_jump, .-sluice_work_and_jump
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .globl sluice_work_and_jump
  .hidden sluice_work_and_jump
  .type sluice_work_and_jump, %function
sluice_work_and_jump:
  .cfi_startproc
  stp x29, x30, [sp, -224]!
  .cfi_def_cfa_offset 224
  .cfi_offset 29, -224
  .cfi_offset 30, -216
  mov x29, sp
  stp x0, x1, [sp, 16]
  stp x2, x3, [sp, 32]
  stp x4, x5, [sp, 48]
  stp x6, x7, [sp, 64]
  str x8, [sp, 80]
  stp q0, q1, [sp, 96]
  stp q2, q3, [sp, 128]
  stp q4, q5, [sp, 160]
  stp q6, q7, [sp, 192]
  mov x0, x16
  add x1, sp, 16
  bl sluice_work_before
  mov x16, x0
  ldp x0, x1, [sp, 16]
  ldp x2, x3, [sp, 32]
  ldp x4, x5, [sp, 48]
  ldp x6, x7, [sp, 64]
  ldr x8, [sp, 80]
  ldp q0, q1, [sp, 96]
  ldp q2, q3, [sp, 128]
  ldp q4, q5, [sp, 160]
  ldp q6, q7, [sp, 192]
  ldp x29, x30, [sp], 224
  .cfi_restore 29
  .cfi_restore 30
  .cfi_def_cfa_offset 0
  br x16
  .cfi_endproc
  .size sluice_work_and_jump, .-sluice_work_and_jump
)");
#endif
