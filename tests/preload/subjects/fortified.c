// Calls the entry points that a fortified program uses instead of the plain functions.
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wchar.h>

static char text[64];
static wchar_t wide_text[64];

static void print_list(FILE* stream, const char* format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(stream, format, list);
  va_end(list);
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
}

static void write_by_all(FILE* stream, int descriptor, int i) {
  fprintf(stream, "%d by the stream\n", i);
  print_list(stream, "%d by a list\n", i);
  if (write(descriptor, "written\n", 8) != 8) exit(1);
  dprintf(descriptor, "%d to the descriptor\n", i);
  if (write(descriptor, "written\n", 8) != 8) exit(1);
}

// The compiler does not know the sizes, so the functions that check them are called.
static void read_by_all(size_t bytes) {
  FILE* const stream = fopen("stream", "r");
  memset(text, 0, sizeof text);
  printf("%zu\n", fread(text, 1, bytes, stream));
  printf("%zu\n", fread_unlocked(text, 1, bytes, stream));
  for (int i = 0; i < 10000; ++i) {
    if (fgets(text, (int)bytes, stream) == NULL) break;
    if (fgets_unlocked(text, (int)bytes, stream) == NULL) break;
  }
  printf("%s\n", text);
  fclose(stream);
  FILE* const wide = fopen("stream", "r");
  printf("%ls", fgetws(wide_text, (int)bytes, wide));
  fclose(wide);
}

static void look_by_all(int flags, size_t bytes) {
  const int descriptor = open("file", flags);
  const int same = openat(AT_FDCWD, "file", flags);
  memset(text, 0, sizeof text);
  printf("%zd %s\n", read(descriptor, text, bytes), text);
  printf("%zd %s\n", pread(same, text, bytes, 30), text);
  struct pollfd asked[2] = {{.fd = descriptor, .events = POLLIN}};
  printf("%d\n", poll(asked, (nfds_t)(bytes / bytes), 0));
  int pair[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  printf("%zd\n", send(pair[0], "message", 7, 0));
  printf("%zd\n", recv(pair[1], text, bytes, 0));
}

int main(int count, char** words) {
  if (count != 2) return 2;
  const size_t bytes = strtoul(words[1], NULL, 10);
  FILE* const stream = fopen("stream", "w");
  const int descriptor = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  for (int i = 0; i < 20000; ++i) write_by_all(stream, descriptor, i);
  printf("fclose %d close %d\n", fclose(stream), close(descriptor));
  read_by_all(bytes);
  look_by_all((int)(bytes / 1000), bytes);
  return 0;
}
