// usage: shared_input LINES WAY
//
// Reads LINES lines of standard input, and shares the input in some WAY:
//   dup, fcntl, dup2   by another descriptor; with "late" when half of the lines are read
//   inherited          by descriptor 3, which is open from the start
//   fdopen             by a second stream
//   child, system      with a child that was started before, or is started now
//   fclose, freopen    closes the stream; the rest is for the process that started this one In
//   every other way the other reader reads a little, and then the stream reads the rest.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char line[300];
static const char* way;
static int copy = 3;
static FILE* second;
static pid_t child;
static int to_child[2];

static int is(const char* name) { return strncmp(way, name, strlen(name)) == 0; }

static void read_lines(long left) {
  while (left-- > 0 && fgets(line, sizeof line, stdin) != NULL) {
  }
  fputs(line, stdout);
  fflush(stdout);
}

static void read_a_little(int descriptor) {
  char text[100];
  const ssize_t got = read(descriptor, text, sizeof text);
  if (got > 0 && write(STDOUT_FILENO, text, (size_t)got) != got) abort();
}

static void start_child(void) {
  if (pipe(to_child) != 0) abort();
  child = fork();
  if (child != 0) return;
  char message;
  if (read(to_child[0], &message, 1) == 1) read_a_little(STDIN_FILENO);
  _exit(0);
}

static void share(void) {
  if (is("dup2"))
    copy = dup2(STDIN_FILENO, 9);
  else if (is("dup"))
    copy = dup(STDIN_FILENO);
  if (is("fcntl")) copy = fcntl(STDIN_FILENO, F_DUPFD, 5);
  if (is("fdopen")) second = fdopen(STDIN_FILENO, "r");
  if (is("child")) start_child();
}

static void let_the_other_read(void) {
  if (is("system")) {
    if (system("head -c 100") != 0) abort();
  } else if (is("fdopen")) {
    if (fgets(line, sizeof line, second) != NULL) fputs(line, stdout);
  } else if (is("child")) {
    if (write(to_child[1], "x", 1) != 1 || waitpid(child, NULL, 0) != child) abort();
  } else {
    read_a_little(copy);
  }
}

int main(int count, char** words) {
  if (count != 3) return 2;
  const long lines = strtol(words[1], NULL, 10);
  way = words[2];
  const long lines_before = strstr(way, "late") != NULL ? lines / 2 : 0;
  if (lines_before > 0) read_lines(lines_before);
  share();
  read_lines(lines - lines_before);
  if (is("fclose")) return fclose(stdin);
  if (is("freopen")) return freopen("/dev/null", "r", stdin) == NULL;
  let_the_other_read();
  while (fgets(line, sizeof line, stdin) != NULL) fputs(line, stdout);
  return 0;
}
