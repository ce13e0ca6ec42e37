// usage: bad_addresses
//
// Gives calls addresses that cannot be memory, and prints what the calls answer.
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static void print(const char* name, long result) { printf("%s: %ld %d\n", name, result, errno); }

int main(void) {
  void* volatile bad = (void*)(intptr_t)8;
  void* volatile null = NULL;
  int pair[2];
  const int file = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 2;
  if (write(file, "a line\n", 7) != 7) return 2;
  print("write", write(file, bad, 1));
  print("writev", writev(file, bad, 1));
  print("sendmsg", sendmsg(pair[0], bad, 0));
  print("sendmmsg", sendmmsg(pair[0], bad, 1, 0));
  // Nothing is mapped there, but only the kernel knows that.
  void* volatile unmapped = (void*)(intptr_t)0x20000;
  print("sendmsg", sendmsg(pair[0], unmapped, 0));
  print("sendmmsg", sendmmsg(pair[0], unmapped, 1, 0));
  char* const words[] = {"true", NULL};
  print("execve", execve(bad, words, environ));
  print("execve null", execve(null, words, environ));
  print("execve environment", execve("/bin/true", words, bad));
  print("execve arguments", execve("/bin/true", bad, environ));
  print("execveat", execveat(AT_FDCWD, bad, words, environ, 0));
  print("fexecve environment", fexecve(open("/bin/true", O_RDONLY), words, bad));
  pid_t process;
  errno = posix_spawn(&process, bad, NULL, NULL, words, environ);
  print("posix_spawn", -1);
  errno = posix_spawn(&process, "/bin/true", NULL, NULL, words, bad);
  print("posix_spawn environment", -1);
  return 0;
}
