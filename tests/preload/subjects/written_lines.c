// usage: written_lines FILE LINES [append|appends|handled|look|printed|read|unclosed]
//
// Writes LINES lines to FILE, each by a write() of its own, and reports a failed write. "append"
// opens the file with O_APPEND, "appends" sets O_APPEND after the first line, "handled" has a
// signal handler until the lines are written, "look" asks for the file's size after each line,
// "printed" has a signal handler only while it prints other lines to standard output first, "read"
// reads a byte of another file after each line, and "unclosed" does not close the file before exit.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void ignore(int number) { (void)number; }

static void print_while_there_is_a_handler(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  signal(SIGUSR1, ignore);
  for (int i = 0; i < 100; ++i) printf("line %d\n", i);
  signal(SIGUSR1, SIG_DFL);
}

int main(int count, char** words) {
  if (count != 3 && count != 4) return 2;
  const char* const how = count == 4 ? words[3] : "";
  const int append = strcmp(how, "append") == 0 ? O_APPEND : O_TRUNC;
  const int descriptor = open(words[1], O_WRONLY | O_CREAT | append, 0644);
  const int other = open("/dev/zero", O_RDONLY);
  struct stat status;
  char byte;
  if (strcmp(how, "handled") == 0) signal(SIGUSR1, ignore);
  if (strcmp(how, "printed") == 0) print_while_there_is_a_handler();
  static const char line[] = "a line that is written by one call\n";
  if (strcmp(how, "appends") == 0) {
    if (write(descriptor, line, sizeof line - 1) < 0) return 1;
    if (fcntl(descriptor, F_SETFL, O_APPEND) < 0) return 1;
  }
  for (long i = strtol(words[2], NULL, 10); i > 0; --i) {
    if (write(descriptor, line, sizeof line - 1) < 0) {
      fprintf(stderr, "write: %s\n", strerror(errno));
      return 1;
    }
    if (strcmp(how, "look") == 0) stat(words[1], &status);
    if (strcmp(how, "read") == 0 && read(other, &byte, 1) != 1) return 1;
  }
  signal(SIGUSR1, SIG_DFL);
  if (strcmp(how, "unclosed") == 0 || close(descriptor) == 0) return 0;
  fprintf(stderr, "close: %s\n", strerror(errno));
  return 1;
}
