// usage: handlers (often | thread | small-stack) FILE
//
// A signal handler writes to FILE. It does so a thousand times in the middle of malloc() and
// free(), or once on a lone stack of 8 KiB, as the first call of its thread.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static const char* name;
static int descriptor = -1;
static volatile sig_atomic_t calls;

static void on_signal(int number) {
  (void)number;
  if (descriptor < 0) descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (write(descriptor, "tick\n", 5) == 5) ++calls;
}

static void handle(int number, int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART | flags;
  sigaction(number, &action, NULL);
}

static void* allocate(void* unused) {
  static void* blocks[64];
  for (unsigned i = 0; calls < 1000; ++i) {
    free(blocks[i % 64]);
    blocks[i % 64] = malloc(16 + i * 7919 % 5000);
  }
  return unused;
}

static int often(int by_thread) {
  handle(SIGALRM, 0);
  const struct itimerval often = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &often, NULL);
  if (!by_thread) {
    allocate(NULL);
  } else {
    pthread_t thread;
    pthread_create(&thread, NULL, allocate, NULL);
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm, NULL);
    pthread_join(thread, NULL);
  }
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  return 0;
}

static void on_small_stack(void) {
  const size_t bytes = 8192;
  const size_t page = 4096;
  char* const memory = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(memory + page, bytes, PROT_READ | PROT_WRITE);
  const stack_t stack = {.ss_sp = memory + page, .ss_size = bytes};
  sigaltstack(&stack, NULL);
  handle(SIGUSR1, SA_ONSTACK);
  pthread_kill(pthread_self(), SIGUSR1);
}

int main(int count, char** words) {
  if (count != 3) return 2;
  name = words[2];
  if (strcmp(words[1], "often") == 0) return often(0);
  if (strcmp(words[1], "thread") == 0) return often(1);
  on_small_stack();
  return calls != 1;
}
