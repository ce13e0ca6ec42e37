// usage: changes_ahead early|late|descriptor|standard FILE
//
// Prints the lines of FILE, and meanwhile changes the file some way ahead of the reading position.
// The change is made by a stream that is opened before the reading (early) or halfway (late), by a
// descriptor, or by standard output.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { lines_before_change = 20000, bytes_ahead = 6000 };

static int writer = -1;

static void open_writer(const char* how, const char* path) {
  if (strcmp(how, "descriptor") == 0) {
    writer = open(path, O_RDWR);
  } else if (strcmp(how, "standard") == 0) {
    writer = STDOUT_FILENO;
  } else {
    writer = fileno(fopen(path, "r+"));
  }
}

int main(int count, char** words) {
  if (count != 3) return 2;
  const char* const how = words[1];
  FILE* const stream = fopen(words[2], "r");
  if (strcmp(how, "late") != 0) open_writer(how, words[2]);
  char line[100];
  for (long number = 0; fgets(line, sizeof line, stream) != NULL; ++number) {
    if (number >= lines_before_change && number % 500 == 0) {
      if (writer < 0) open_writer(how, words[2]);
      const off_t place = ftello(stream) + bytes_ahead;
      if (pwrite(writer, "changed", 7, place) != 7) return 1;
    }
    fputs(line, stderr);
  }
  return 0;
}
