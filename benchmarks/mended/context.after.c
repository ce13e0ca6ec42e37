// Searches a text for some words, and prints each line found with the three lines before it.
#include <stdio.h>
#include <string.h>
enum { kKept = 4096, kBlock = 65536 };
static const char* const kWords[] = {" 7 ",     "-33",      " 51",     "9 ",    "-41",    "none",
                                     "nowhere", "an error", "7777",    "88888", "123 ",   "-5050",
                                     "warning", "66 7",     "fatal",   "8080",  "panic",  "6061",
                                     "4545",    "retry",    "timeout", "9191",  "refused"};
static char buffer[kKept + kBlock];
static char* next = buffer;
static char* filled = buffer;
// Copies the next line to `line`. What was read before it stays in the buffer, up to kKept bytes.
static int next_line(char* line, FILE* in) {
  char* end = memchr(next, '\n', (size_t)(filled - next));
  if (end == NULL) {
    char* kept = next - buffer > kKept / 2 ? next - kKept / 2 : buffer;
    memmove(buffer, kept, (size_t)(filled - kept));
    next -= kept - buffer;
    filled -= kept - buffer;
    filled += fread(filled, 1, (size_t)(buffer + sizeof buffer - filled), in);
    end = memchr(next, '\n', (size_t)(filled - next));
    if (end == NULL) return 0;
  }
  size_t length = (size_t)(end + 1 - next);
  memcpy(line, next, length);
  line[length] = 0;
  next = end + 1;
  return 1;
}
static int matches(const char* line) {
  for (size_t i = 0; i < sizeof kWords / sizeof kWords[0]; ++i) {
    if (strstr(line, kWords[i]) != NULL) return 1;
  }
  return 0;
}
static int search(const char* name, FILE* out) {
  FILE* in = fopen(name, "r");
  char line[256];
  long start[4] = {0, 0, 0, 0};
  for (long number = 0; next_line(line, in); ++number) {
    long end = start[number % 4] + (long)strlen(line);
    if (matches(line)) {
      long first = number < 3 ? 0 : start[(number + 1) % 4];
      next -= end - first;
      for (long position = first; position < end; position += (long)strlen(line)) {
        if (!next_line(line, in)) return 1;
        fputs(line, out);
      }
      fputs("--\n", out);
    }
    start[(number + 1) % 4] = end;
  }
  return fclose(in);
}
int main(void) {
  FILE* out = fopen("out", "w");
  if (search("lines", out) != 0) return 1;
  return fclose(out);
}
