// Starts a process in the given way, without fork(). The child moves the position of a stream that
// both have, writes lines and ends. Then the parent writes lines, and prints bytes from the stream.
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { from_parent = 500, from_child = 1000, printed = 6000 };

static FILE* stream;
static char data[printed];
static int lines;

static void write_lines(int count) {
  for (int i = 0; i < count; ++i) {
    if (write(lines, "line\n", 5) != 5) _exit(2);
  }
}

static int work_in_child(void* unused) {
  (void)unused;
  fseek(stream, 20000, SEEK_SET);
  if (fread(data, 1, 10, stream) != 10) _exit(3);
  write_lines(from_child);
  _exit(0);
}

// The first function of glibc that forks and runs no handlers is in glibc 2.34.
#if !__GLIBC_PREREQ(2, 34)
static pid_t _Fork(void) { return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }
#endif

static pid_t start(const char* way) {
  static char stack[8192];  // a program may give as little
  struct clone_args wanted = {.exit_signal = SIGCHLD};
  if (strcmp(way, "clone()") == 0) {
    return clone(work_in_child, stack + sizeof stack, SIGCHLD, NULL);
  }
  if (strcmp(way, "_Fork") == 0) return _Fork();
  if (strcmp(way, "clone3") == 0) return (pid_t)syscall(SYS_clone3, &wanted, sizeof wanted);
#ifdef SYS_fork
  if (strcmp(way, "fork") == 0) return (pid_t)syscall(SYS_fork);
#endif
  return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

int main(int count, char** words) {
  if (count != 3) return 64;
  stream = fopen(words[2], "r");
  lines = open("lines", O_WRONLY | O_CREAT, 0666);
  if (stream == NULL || lines < 0) return 65;
  fseek(stream, 0, SEEK_SET);
  if (fread(data, 1, 100, stream) != 100) return 66;
  fseek(stream, 50, SEEK_SET);
  if (fread(data, 1, 100, stream) != 100) return 66;
  const pid_t child = start(words[1]);
  if (child < 0) return 67;
  if (child == 0) work_in_child(NULL);
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) return 68;
  write_lines(from_parent);
  fseek(stream, 10, SEEK_SET);
  const size_t bytes = fread(data, 1, sizeof data, stream);
  return fwrite(data, 1, bytes, stdout) == bytes ? 0 : 69;
}
