// Put into a command: sends SIGTERM to the command while it makes its temporary folder.
#include <signal.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

int flock(int file, int operation) {
  raise(SIGTERM);
  return (int)syscall(SYS_flock, file, operation);
}
