// Prints by formats that the compiler knows, and what each call has returned. The program does the
// same with the C library's stdio.
// usage: known_formats FILE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_each(FILE* file, const char* text) {
  const int results[] = {
      fprintf(file, "a text alone\n"),     fprintf(file, "x"),        fprintf(file, "%c", 'c'),
      fprintf(file, "%c", 0x141),          fprintf(file, "%s", text), fprintf(file, "%s\n", text),
      fprintf(file, "%s %c\n", text, 'c'), fprintf(file, "%%"),       fprintf(file, "%d\n", 12)};
  for (size_t i = 0; i < sizeof results / sizeof *results; ++i) printf("%d ", results[i]);
  printf("\n");
}

static void print_to_standard_output(const char* text) {
  const int results[] = {printf("a text alone\n"), printf("%c", 'c'), printf("%s", text),
                         printf("%s\n", text), printf("%d\n", 12)};
  for (size_t i = 0; i < sizeof results / sizeof *results; ++i) printf("%d ", results[i]);
  printf("\n");
}

// The file cannot be written.
static void fail(FILE* file) {
  const int results[] = {fprintf(file, "a text alone\n"), fprintf(file, "%c", 'c'),
                         fprintf(file, "%s", "text"), fprintf(file, "%s\n", "text")};
  for (size_t i = 0; i < sizeof results / sizeof *results; ++i) printf("%d ", results[i]);
  printf("%d\n", ferror(file) != 0);
}

static FILE* open_file(const char* path, const char* mode, int buffering) {
  FILE* const file = fopen(path, mode);
  if (file == NULL) exit(2);
  setvbuf(file, NULL, buffering, BUFSIZ);
  return file;
}

static void copy_to_standard_output(const char* path) {
  FILE* const file = open_file(path, "r", _IOFBF);
  for (int byte; (byte = fgetc(file)) != EOF;) putchar(byte);
  fclose(file);
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  char* const longer = (char*)calloc(200001, 1);
  memset(longer, 'l', 200000);
  const char* const texts[] = {"text", "", longer};
  const int bufferings[] = {_IOFBF, _IOLBF, _IONBF};
  for (int i = 0; i < 9; ++i) {
    FILE* const file = open_file(arguments[1], "w", bufferings[i / 3]);
    print_each(file, texts[i % 3]);
    fclose(file);
    copy_to_standard_output(arguments[1]);
    print_to_standard_output(texts[i % 3]);
  }
  free(longer);
  FILE* const reader = open_file(arguments[1], "r", _IOFBF);
  fail(reader);
  fclose(reader);
  FILE* const full = open_file("/dev/full", "w", _IONBF);
  fail(full);
  fclose(full);
  return 0;
}
