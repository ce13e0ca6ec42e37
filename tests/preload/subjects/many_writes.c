// usage: many_writes FILE
//
// Writes numbers to FILE, however many calls of write() they take.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int write_all(int descriptor, const char* data, size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = write(descriptor, data, bytes);
    if (written < 0 && errno != EINTR) return 0;
    if (written < 0) continue;
    data += written;
    bytes -= (size_t)written;
  }
  return 1;
}

int main(int count, char** words) {
  if (count != 2) return 2;
  const int descriptor = open(words[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  for (int i = 0; i < 1000; ++i) {
    char line[32];
    const int bytes = snprintf(line, sizeof line, "%012d\n", i);
    if (!write_all(descriptor, line, (size_t)bytes)) return 1;
  }
  return close(descriptor) != 0;
}
