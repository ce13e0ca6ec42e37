// A signal whose handler returns interrupts a read from an empty pipe and a write to a full pipe.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static void ignore(int number) { (void)number; }

static void interrupt_soon(void) {
  const struct itimerval soon = {{0, 0}, {0, 100000}};
  setitimer(ITIMER_REAL, &soon, NULL);
}

static void tell(const char* call, int result, FILE* file) {
  printf("%s: %d, %s, error %d, end %d\n", call, result, strerror(errno), ferror(file) != 0,
         feof(file) != 0);
}

int main(void) {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = ignore;
  sigaction(SIGALRM, &action, NULL);

  FILE* const reader = fdopen(ends[0], "r");
  FILE* const writer = fdopen(ends[1], "w");
  if (reader == NULL || writer == NULL) return 1;
  interrupt_soon();
  errno = 0;
  tell("read", fgetc(reader), reader);
  clearerr(reader);
  if (write(ends[1], "x", 1) != 1) return 1;
  tell("read again", fgetc(reader), reader);

  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  while (write(ends[1], "fill", 4) > 0) {
  }
  fcntl(ends[1], F_SETFL, 0);
  fputs("text", writer);
  interrupt_soon();
  errno = 0;
  tell("flush", fflush(writer), writer);
  return 0;
}
