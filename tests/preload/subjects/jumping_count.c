// usage: jumping_count FILE TIMES
//
// Appends 1,000 lines to FILE, and meanwhile sees the processor's count of time (TSC) jump TIMES
// times by an hour: forwards, backwards, forwards, and so on. The kernel's own code in this process
// (the vDSO) sees the true count, so the clock does not jump. Exits with 77 if the kernel does not
// let a process do this.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <x86intrin.h>

enum { skipped = 77, lines = 1000, readings_between_jumps = 401 };
static const int64_t hour = (int64_t)3600 * 2000000000;

static int jumps_left;
static uint64_t readings;
static int64_t offset;
static int64_t next_jump;

// No hook may see this call.
static long set_reading(long how) {
  long result = SYS_prctl;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"((long)PR_SET_TSC), "S"(how)
                   : "rcx", "r11", "memory");
  return result;
}

static int is_of_kernel(uintptr_t address) {
  const uintptr_t begin = getauxval(AT_SYSINFO_EHDR);
  return begin != 0 && address - begin < 65536;
}

// A call reads the count three times. The count jumps in the middle of some calls, and between
// others.
static int64_t offset_now(void) {
  if (jumps_left > 0 && ++readings == readings_between_jumps) {
    readings = 0;
    --jumps_left;
    offset += next_jump;
    next_jump = -next_jump;
  }
  return offset;
}

// rdtsc has two bytes, rdtscp three.
static void read_count(int signal, siginfo_t* info, void* context) {
  greg_t* const registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  const unsigned char* const code = (const unsigned char*)registers[REG_RIP];
  const int is_short = code[0] == 0x0f && code[1] == 0x31;
  const int is_long = code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9;
  (void)signal;
  (void)info;
  if (!is_short && !is_long) abort();
  set_reading(PR_TSC_ENABLE);
  unsigned processor = 0;
  uint64_t count = __rdtscp(&processor);
  set_reading(PR_TSC_SIGSEGV);
  if (!is_of_kernel((uintptr_t)code)) count += (uint64_t)offset_now();
  registers[REG_RAX] = (greg_t)(count & UINT32_MAX);
  registers[REG_RDX] = (greg_t)(count >> 32);
  if (is_long) registers[REG_RCX] = processor;
  registers[REG_RIP] += is_short ? 2 : 3;
}

int main(int count, char** words) {
  if (count != 3) return 2;
  const int file = open(words[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  struct sigaction action = {.sa_sigaction = read_count, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, NULL);
  jumps_left = atoi(words[2]);
  next_jump = hour;
  if (file < 0 || set_reading(PR_TSC_SIGSEGV) != 0) return skipped;
  for (int i = 0; i < lines; ++i) {
    const struct timespec pause = {.tv_nsec = 100000};
    if (write(file, "a line\n", 7) != 7) return 1;
    nanosleep(&pause, NULL);
  }
  set_reading(PR_TSC_ENABLE);
  return 0;
}
