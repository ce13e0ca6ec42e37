// Put into a command that waits for a program: sends SIGTERM to the command right after the program
// was reaped, and tells if the command signals a process from then on.
#include <dlfcn.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int reaped;

pid_t waitpid(pid_t process, int* status, int options) {
  const pid_t ended = (pid_t)syscall(SYS_wait4, process, status, options, NULL);
  if (ended > 0 && reaped++ == 0) raise(SIGTERM);
  return ended;
}

int kill(pid_t process, int number) {
  static const char text[] = "a process that was reaped is signalled\n";
  if (reaped > 0 && write(STDERR_FILENO, text, sizeof text - 1) > 0) return 0;
  return (int)syscall(SYS_kill, process, number);
}
