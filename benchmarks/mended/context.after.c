// Searches a text for some words, and prints each line found with the three lines before it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char* const kWords[] = {" 7 ",     "-33",      " 51",     "9 ",    "-41",    "none",
                                     "nowhere", "an error", "7777",    "88888", "123 ",   "-5050",
                                     "warning", "66 7",     "fatal",   "8080",  "panic",  "6061",
                                     "4545",    "retry",    "timeout", "9191",  "refused"};
static int matches(const char* line) {
  for (size_t i = 0; i < sizeof kWords / sizeof kWords[0]; ++i) {
    if (strstr(line, kWords[i]) != NULL) return 1;
  }
  return 0;
}
static char* read_all(const char* name, size_t* bytes) {
  FILE* in = fopen(name, "r");
  fseek(in, 0, SEEK_END);
  *bytes = (size_t)ftell(in);
  rewind(in);
  char* text = malloc(*bytes + 1);
  if (fread(text, 1, *bytes, in) != *bytes) exit(1);
  fclose(in);
  return text;
}
static int next_line(char* line, const char** next, const char* end) {
  if (*next == end) return 0;
  const char* after = memchr(*next, '\n', (size_t)(end - *next));
  after = after == NULL ? end : after + 1;
  memcpy(line, *next, (size_t)(after - *next));
  line[after - *next] = 0;
  *next = after;
  return 1;
}
static int search(const char* name, FILE* out) {
  size_t bytes = 0;
  char* text = read_all(name, &bytes);
  const char* next = text;
  char line[256];
  long start[4] = {0, 0, 0, 0};
  for (long number = 0; next_line(line, &next, text + bytes); ++number) {
    long end = start[number % 4] + (long)strlen(line);
    if (matches(line)) {
      long first = number < 3 ? 0 : start[(number + 1) % 4];
      next = text + first;
      for (long position = first; position < end; position += (long)strlen(line)) {
        if (!next_line(line, &next, text + bytes)) return 1;
        fputs(line, out);
      }
      fputs("--\n", out);
    }
    start[(number + 1) % 4] = end;
  }
  free(text);
  return 0;
}
int main(void) {
  FILE* out = fopen("out", "w");
  if (search("lines", out) != 0) return 1;
  return fclose(out);
}
