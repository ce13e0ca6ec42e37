// usage: two_callers FIRST SECOND
//
// Two functions let a library write lines, one to each file. Both files have the same descriptor.
#include <fcntl.h>
#include <unistd.h>

long put_line(int descriptor);

__attribute__((noinline)) static long write_first(const char* path) {
  const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  long written = 0;
  for (int i = 0; i < 100; ++i) written += put_line(descriptor);
  return written + close(descriptor);
}

__attribute__((noinline)) static long write_second(const char* path) {
  const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  long written = 0;
  for (int i = 0; i < 200; ++i) written += put_line(descriptor);
  return written + close(descriptor);
}

int main(int count, char** words) {
  return count == 3 && write_first(words[1]) + write_second(words[2]) == 1500 ? 0 : 1;
}
