// usage: commands
//
// Writes "100" and then "banana" to /proc/self/oom_score_adj. Each write is a command, which the
// kernel carries out or refuses. Prints the result of each write and of the close, and then the
// value that the file has.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void report(const char* what, ssize_t result) {
  printf("%s: %s\n", what, result < 0 ? strerror(errno) : "ok");
}

int main(void) {
  const char* const path = "/proc/self/oom_score_adj";
  const int descriptor = open(path, O_WRONLY);
  report("100", write(descriptor, "100\n", 4));
  report("banana", write(descriptor, "banana\n", 7));
  report("close", close(descriptor));
  FILE* const file = fopen(path, "r");
  int value = -1;
  if (file == NULL || fscanf(file, "%d", &value) != 1) return 1;
  printf("%d\n", value);
  return 0;
}
