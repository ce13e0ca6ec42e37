// usage: lost_writes WAY
//
// Writes more bytes to "file" than the limit of its size allows, and ignores the results. "handler"
// in WAY sets a signal handler for this. The other words of WAY tell it what to do with the
// descriptor.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* way;
static int file;

static int is(const char* name) { return strstr(way, name) != NULL; }

static void ignore(int number) { (void)number; }

static void tell(const char* what, long result) {
  printf("%s: %ld %s\n", what, result, result < 0 ? strerror(errno) : "");
  fflush(stdout);
}

// Writes by the old descriptor number, which stands for another file now.
static void write_to_other(int descriptor) {
  tell("the same number", descriptor == file);
  tell("write", write(descriptor, "other", 5));
  tell("close", close(descriptor));
}

static int open_other(void) { return open("other", O_WRONLY | O_CREAT | O_TRUNC, 0644); }

static void start_child(void) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
}

static void close_silently(void) {
  const int other = is("dup") ? open_other() : -1;
  if (is("dup2")) write_to_other(dup2(other, file));
  if (is("dup3")) write_to_other(dup3(other, file, O_CLOEXEC));
  if (is("closefrom")) closefrom(file);
  if (is("close_range")) close_range((unsigned)file, ~0u, 0);
  if (is("unseen")) syscall(SYS_close, file);
  if (other < 0) write_to_other(open_other());
}

// A call that succeeds leaves errno, although the held bytes before it are lost.
static void open_and_tell_errno(void) {
  errno = 0;
  open_other();
  printf("errno %d\n", errno);
}

int main(int count, char** words) {
  if (count != 2) return 2;
  way = words[1];
  file = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  char line[100];
  memset(line, 'x', sizeof line);
  for (int i = 0; i < 100; ++i) {
    if (write(file, line, sizeof line) < 0) continue;
  }
  if (is("errno")) open_and_tell_errno();
  if (is("handler")) signal(SIGUSR1, ignore);
  if (is("fork")) start_child();
  if (is("quick_exit")) quick_exit(3);
  if (is("_exit")) _exit(3);
  if (is("write")) tell("write", write(file, line, sizeof line));
  if (is("fsync")) tell("fsync", fsync(file));
  if (is("fdatasync")) tell("fdatasync", fdatasync(file));
  if (is("handler close") && !is("closefrom") && !is("close_range")) tell("close", close(file));
  if (is("dup") || is("closefrom") || is("close_range") || is("unseen")) close_silently();
  return 3;
}
