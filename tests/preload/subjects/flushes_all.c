// usage: flushes_all [FILE | -]
//
// Writes a line to standard output, and flushes all streams. If FILE is given, also writes a line
// to it, and prints the position of its stream after the flush, as the stream knows it: the
// position of the descriptor is another one then. With "-", two other streams cannot be flushed,
// for different reasons, and the program prints the error of the flush.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int prints_error(void) {
  int ends[2];
  int pair[2];
  if (pipe(ends) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
  if (write(pair[1], "some bytes", 10) != 10) return 1;
  signal(SIGPIPE, SIG_IGN);
  FILE* const without_reader = fdopen(ends[1], "w");
  close(ends[0]);
  fputs("a line\n", without_reader);
  // Bytes that were read and not taken need a seek before a write.
  FILE* const without_position = fdopen(pair[0], "r+");
  if (fgetc(without_position) != 's') return 1;
  fputs("a line\n", without_position);
  errno = 0;
  const int result = fflush(NULL);
  printf("%d %s\n", result, strerror(errno));
  fflush(stdout);
  _exit(0);
}

int main(int count, char** words) {
  if (count == 2 && strcmp(words[1], "-") == 0) return prints_error();
  FILE* const file = count == 2 ? fopen(words[1], "w") : NULL;
  if (file != NULL) {
    fseek(file, 100, SEEK_SET);
    fputs("a line\n", file);
  }
  fputs("a line\n", stdout);
  if (fflush(NULL) != 0) return 1;
  if (file == NULL) return 0;
  lseek(fileno(file), 0, SEEK_SET);
  printf("%ld\n", ftell(file));
  return 0;
}
