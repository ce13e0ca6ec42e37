// usage: jumping_count WHEN FILE TIMES
//
// Appends 1,000 lines to FILE, and sees the processor's count of time (TSC) jump TIMES times by an
// hour: forwards, backwards, forwards, and so on.
//   often    while it writes lines
//   before   before it writes the first line
//   inside   in calls that read from a pipe
//   after    when it has put 100,000 bytes into the buffer of a stream, and makes no further call
// The kernel's own code in this process (the vDSO) sees the true count, so the clock does not jump.
// Exits with 77 if the kernel does not let a process do this.
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <x86intrin.h>

enum { skipped = 77, lines = 1000, buffered = 100000, readings_between_jumps = 300 };
static const int64_t hour = (int64_t)3600 * 2000000000;

static int jumps_left;
static int is_often;
static uint64_t readings;
static int64_t offset;
static int64_t next_jump = hour;
static int ends[2];

// No hook may see these calls.
static long call_kernel(long number, long first, long second, long third) {
  __asm__ volatile("syscall"
                   : "+a"(number)
                   : "D"(first), "S"(second), "d"(third)
                   : "rcx", "r11", "memory");
  return number;
}
static long set_reading(long how) { return call_kernel(SYS_prctl, PR_SET_TSC, how, 0); }

static void jump(void) {
  --jumps_left;
  offset += next_jump;
  next_jump = -next_jump;
}

static int is_of_kernel(uintptr_t address) {
  const uintptr_t begin = getauxval(AT_SYSINFO_EHDR);
  return begin != 0 && address - begin < 65536;
}

// A call reads the count three times. The count jumps forwards, and back at the next reading: in
// the middle of some calls, and between others.
static int64_t offset_now(void) {
  const uint64_t wait = jumps_left % 2 == 0 ? 1 : readings_between_jumps;
  if (is_often && jumps_left > 0 && ++readings == wait) {
    readings = 0;
    jump();
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

static void pass(long nanoseconds) {
  const struct timespec pause = {.tv_nsec = nanoseconds};
  nanosleep(&pause, NULL);
}

static int write_lines(int file) {
  for (int i = 0; i < lines; ++i) {
    if (write(file, "a line\n", 7) != 7) return 1;
    pass(100000);
  }
  return 0;
}

static void jump_and_write(int signal) {
  (void)signal;
  jump();
  call_kernel(SYS_write, ends[1], (long)"", 1);
}

// Each call waits for a byte, and the count jumps before the byte comes.
static int read_bytes(void) {
  const struct sigaction action = {.sa_handler = jump_and_write, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  if (pipe(ends) != 0) return 1;
  while (jumps_left > 0) {
    const struct itimerval soon = {.it_value = {.tv_usec = 20000}};
    char byte;
    setitimer(ITIMER_REAL, &soon, NULL);
    if (read(ends[0], &byte, 1) != 1) return 1;
  }
  return 0;
}

static int put_bytes(const char* path) {
  const volatile size_t size = 1;
  FILE* const stream = fopen(path, "a");
  if (stream == NULL) return 1;
  setvbuf(stream, NULL, _IOFBF, 2 * buffered);
  for (int i = 0; i < buffered; ++i) fwrite("x", size, 1, stream);
  while (jumps_left > 0) jump();
  _exit(0);
}

int main(int count, char** words) {
  if (count != 4) return 2;
  const int file = open(words[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  struct sigaction action = {.sa_sigaction = read_count, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, NULL);
  jumps_left = atoi(words[3]);
  is_often = strcmp(words[1], "often") == 0;
  if (file < 0 || set_reading(PR_TSC_SIGSEGV) != 0) return skipped;
  if (strcmp(words[1], "before") == 0) {
    pass(20000000);
    while (jumps_left > 0) jump();
  }
  int failed = write_lines(file);
  if (strcmp(words[1], "inside") == 0) failed |= read_bytes();
  if (strcmp(words[1], "after") == 0) failed |= put_bytes(words[2]);
  return failed;
}
