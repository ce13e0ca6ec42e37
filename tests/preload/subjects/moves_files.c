// usage: moves_files HOW FILES FROM TO
//
// Copies the files "0", "1", ... of the folder FROM into the folder TO, and removes them.
// HOW: stdio, sendfile; "longer" adds a byte to each copy, "kept" removes nothing, and "read again"
// reads each copy before it is removed.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static void copy_by_kernel(const char* from, const char* to) {
  const int in = open(from, O_RDONLY);
  const int out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  struct stat status;
  if (fstat(in, &status) != 0) exit(1);
  if (sendfile(out, in, NULL, (size_t)status.st_size) != status.st_size) exit(1);
  close(in);
  close(out);
}

static void copy_by_streams(const char* from, const char* to, const char* added) {
  char bytes[8192];
  FILE* const in = fopen(from, "rb");
  FILE* const out = fopen(to, "wb");
  if (in == NULL || out == NULL) exit(1);
  for (size_t got; (got = fread(bytes, 1, sizeof bytes, in)) > 0;) fwrite(bytes, 1, got, out);
  fputs(added, out);
  fclose(in);
  fclose(out);
}

static void read_file(const char* name) {
  char bytes[8192];
  FILE* const in = fopen(name, "rb");
  if (in == NULL) exit(1);
  while (fread(bytes, 1, sizeof bytes, in) > 0) continue;
  fclose(in);
}

int main(int count, char** arguments) {
  if (count != 5) return 2;
  const char* const how = arguments[1];
  for (long i = 0; i < atol(arguments[2]); ++i) {
    char from[4096];
    char to[4096];
    snprintf(from, sizeof from, "%s/%ld", arguments[3], i);
    snprintf(to, sizeof to, "%s/%ld", arguments[4], i);
    if (strcmp(how, "sendfile") == 0) {
      copy_by_kernel(from, to);
    } else {
      copy_by_streams(from, to, strcmp(how, "longer") == 0 ? "+" : "");
    }
    if (strcmp(how, "read again") == 0) read_file(to);
    if (strcmp(how, "kept") != 0 && unlink(from) != 0) return 1;
    if (strcmp(how, "read again") == 0 && unlink(to) != 0) return 1;
  }
  return 0;
}
