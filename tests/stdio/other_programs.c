// Reads from a program and writes to programs, with popen().
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

static void tell(const char* what, int lines, int status) {
  printf("%s: %d lines, exit status %d\n", what, lines, WEXITSTATUS(status));
}

static void read_lines(void) {
  char line[100];
  int lines = 0;
  FILE* const program = popen("seq 5000; exit 3", "r");
  while (program != NULL && fgets(line, sizeof line, program) != NULL) ++lines;
  tell("read", lines, pclose(program));
}

// Two programs at a time: each must see the end of its input when its stream is closed.
static void write_lines(void) {
  FILE* const first = popen("wc -l >first", "w");
  FILE* const second = popen("wc -c >second; exit 5", "we");
  for (int i = 0; i < 30000; ++i) {
    fprintf(first, "line %d\n", i);
    fprintf(second, "%d", i);
  }
  tell("first", 30000, pclose(first));
  tell("second", 30000, pclose(second));
  char text[100] = "";
  FILE* const counted = popen("cat first second", "r");
  while (fgets(text, sizeof text, counted) != NULL) fputs(text, stdout);
  int (*volatile close_it)(FILE*) = fclose;   // the compiler would warn: it expects pclose()
  printf("closed: %d\n", close_it(counted));  // waits for the program too
  errno = 0;
  const int child = wait(NULL);
  printf("children: %d, %s\n", child, strerror(errno));
}

static void refuse(void) {
  errno = 0;
  const int is_refused = popen("true", "x") == NULL;
  printf("refused: %d, %s\n", is_refused, strerror(errno));
  FILE* const missing = popen("/missing/program 2>&1", "r");
  char text[100] = "";
  if (fgets(text, sizeof text, missing) != NULL) printf("missing: %s", text);
  tell("missing", 1, pclose(missing));
}

int main(void) {
  read_lines();
  write_lines();
  refuse();
  return 0;
}
