// Searches a text for some words, and prints each line found with the three lines before it.
#include <stdio.h>
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
static int search(const char* name, FILE* out) {
  FILE* in = fopen(name, "r");
  char line[256];
  long start[4] = {0, 0, 0, 0};
  for (long number = 0; fgets(line, sizeof line, in) != NULL; ++number) {
    long end = start[number % 4] + (long)strlen(line);
    if (matches(line)) {
      long first = number < 3 ? 0 : start[(number + 1) % 4];
      fseek(in, first, SEEK_SET);
      for (long position = first; position < end; position += (long)strlen(line)) {
        if (fgets(line, sizeof line, in) == NULL) return 1;
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
