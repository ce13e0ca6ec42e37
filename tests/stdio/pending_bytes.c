// What <stdio_ext.h> says of a stream after each step.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdio_ext.h>

static void tell(const char* step, FILE* file) {
  printf("%s: pending %zu, reading %d, writing %d\n", step, __fpending(file), __freading(file) != 0,
         __fwriting(file) != 0);
}

static void begin_with(const char* mode) {
  FILE* const file = fopen("file", mode);
  if (file == NULL) return;
  tell(mode, file);
  fclose(file);
}

static void purge_input(void) {
  FILE* const file = fopen("file", "r");
  if (file == NULL) return;
  getc(file);
  __fpurge(file);
  tell("purged input", file);
  printf("next: %d\n", getc(file));
  fclose(file);
}

int main(void) {
  FILE* const file = fopen("file", "w+");
  if (file == NULL) return 1;
  fputs("abcdef", file);
  tell("fputs", file);
  fflush(file);
  tell("fflush", file);
  rewind(file);
  getc(file);
  tell("getc", file);
  fseek(file, 2, SEEK_SET);
  fputs("lost", file);
  tell("fputs again", file);
  __fpurge(file);
  tell("purged", file);
  fputs("X", file);
  rewind(file);
  char line[100];
  if (fgets(line, sizeof line, file) != NULL) puts(line);
  fclose(file);
  begin_with("r");
  begin_with("a");
  begin_with("r+");
  purge_input();
  return 0;
}
