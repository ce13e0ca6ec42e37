// Writes a file by stdio and says what each call has told. The test compiles this source plain, and
// switched to sluice/stdio.h.
//
// usage: stdio_on_a_failing_disk records FILE    flushes after each record, and goes back
//        stdio_on_a_failing_disk bytes FILE      writes 300,000 bytes, one at a time
//        stdio_on_a_failing_disk lines FILE      reads lines to the end, and once more
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void tell(const char* call, long result, FILE* file) {
  const int error = errno;
  printf("%s: %ld %s, error %d\n", call, result, result < 0 ? strerror(error) : "fine",
         file != NULL && ferror(file) != 0);
}

static FILE* write_records(FILE* file) {
  for (int i = 0; i < 4; ++i) {
    fprintf(file, "record %d\n", i);
    tell("fflush", fflush(file), file);
  }
  clearerr(file);
  fputs("the last record\n", file);
  tell("fseek", fseek(file, 3, SEEK_SET), file);
  tell("fputs", fputs("PATCH", file) < 0 ? -1 : 0, file);
  return file;
}

static FILE* write_bytes(FILE* file) {
  long refused = 0;
  for (int i = 0; i < 300000; ++i) refused -= putc('a' + i % 26, file) == EOF;
  printf("refused: %s, error %d\n", refused == 0 ? "none" : "some", ferror(file) != 0);
  return file;
}

static FILE* read_lines(FILE* file) {
  for (int i = 0; i < 2; ++i) {
    char line[100];
    errno = 0;
    while (fgets(line, sizeof line, file) != NULL) printf("read %s", line);
    printf("%s, error %d, end %d\n", strerror(errno), ferror(file) != 0, feof(file) != 0);
    clearerr(file);
  }
  return file;
}

static FILE* use(const char* how, FILE* file) {
  if (strcmp(how, "records") == 0) return write_records(file);
  return strcmp(how, "bytes") == 0 ? write_bytes(file) : read_lines(file);
}

int main(int count, char** arguments) {
  if (count != 3) return 2;
  FILE* const file = fopen(arguments[2], strcmp(arguments[1], "lines") == 0 ? "r" : "w+");
  tell("fopen", file == NULL ? -1 : 0, NULL);
  if (file == NULL) return 0;
  tell("fclose", fclose(use(arguments[1], file)), NULL);
  return 0;
}
