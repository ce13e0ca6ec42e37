// usage: vforks HOW
//
// A child of vfork() has its parent's memory, and descriptors of its own: the same number stands
// for another file in parent and child. HOW is "writes", "crashes" for a child that ends in the
// middle of its work, or "prints" for writes by one call of stdio in both.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE* stream;

static __attribute__((noinline)) void write_text(int descriptor, const char* text) {
  if (stream != NULL) {
    if (fputs(text, stream) < 0) _exit(3);
    return;
  }
  if (write(descriptor, text, strlen(text)) < 0) _exit(3);
}

int main(int count, char** words) {
  if (count != 2) return 2;
  const int crashes = strcmp(words[1], "crashes") == 0;
  const int file = open("parents", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (strcmp(words[1], "prints") == 0) {
    stream = fdopen(file, "w");
    setvbuf(stream, NULL, _IONBF, 0);
  }
  write_text(file, "before\n");
  const pid_t child = vfork();
  if (child == 0) {
    close(file);
    const int other = open("childs", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (other != file) _exit(4);
    write_text(other, "from the child\n");
    if (crashes) __builtin_trap();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  write_text(file, "after\n");
  return close(file) != 0 || (WIFSIGNALED(status) != 0) != crashes;
}
