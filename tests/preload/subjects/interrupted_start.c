// Put into a command: sends the signal of the environment's EARLY_SIGNAL to the command while it
// makes its temporary folder.
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

int flock(int file, int operation) {
  raise(atoi(getenv("EARLY_SIGNAL")));
  return (int)syscall(SYS_flock, file, operation);
}
