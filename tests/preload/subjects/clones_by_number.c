// usage: clones_by_number clone|clone3|vfork|bad|null
//
// Makes the system call by its number. The child has its parent's memory and stack, and writes a
// line. The parent waits until it has ended, and writes another one.
#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_text(int descriptor, const char* text) {
  if (write(descriptor, text, strlen(text)) < 0) _exit(3);
}

int main(int count, char** words) {
  if (count != 2) return 2;
  const int lines = open("lines", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  struct clone_args wanted = {.flags = CLONE_VM | CLONE_VFORK, .exit_signal = SIGCHLD};
  const void* at = &wanted;
  if (strcmp(words[1], "bad") == 0) at = (const void*)8;
  if (strcmp(words[1], "null") == 0) at = NULL;
  long number = SYS_clone3;
  if (strcmp(words[1], "clone") == 0) number = SYS_clone;
#ifdef SYS_vfork
  if (strcmp(words[1], "vfork") == 0) number = SYS_vfork;
#endif
  const long first = number == SYS_clone ? CLONE_VM | CLONE_VFORK | SIGCHLD : (long)at;
  const long second = number == SYS_clone ? 0 : (long)sizeof wanted;
  errno = EINVAL;  // of an earlier call
  const pid_t child = (pid_t)syscall(number, first, second, 0, 0, 0);
  if (child == 0) {
    // The parent's return address lies right below this frame, and must stay.
    volatile char* const room = alloca(64);
    room[0] = 'x';
    write_text(lines, "from the child\n");
    _exit(7);
  }
  int status = 0;
  if (child > 0 && waitpid(child, &status, 0) != child) return 4;
  write_text(lines, "from the parent\n");
  printf("%d %d\n", child > 0, WEXITSTATUS(status));
  return close(lines) != 0;
}
