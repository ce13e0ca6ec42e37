/* An ordinary program, which is compiled with -include sluice/stdio.h. */
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char* what) {
  perror(what);
  return 1;
}

static int count(void) {
  long bytes = 0;
  long lines = 0;
  int byte;
  while ((byte = getchar()) != EOF) {
    ++bytes;
    lines += byte == '\n';
  }
  printf("%ld bytes, %ld lines\n", bytes, lines);
  return 0;
}

static int copy(const char* from, const char* from_mode, const char* to, const char* to_mode) {
  FILE* const in = fopen(from, from_mode);
  FILE* const out = fopen(to, to_mode);
  char bytes[3000];
  size_t got;
  if (in == NULL || out == NULL) return fail(from);
  while ((got = fread(bytes, 1, sizeof bytes, in)) > 0) {
    if (fwrite(bytes, 1, got, out) != got) return fail(to);
  }
  return ferror(in) != 0; /* the program's end closes the files */
}

static int add(void) {
  char name[20];
  int number = 0;
  long sum = 0;
  while (scanf("%19[a-z]=%d\n", name, &number) == 2) sum += number;
  printf("last %s, sum %ld\n", name, sum);
  return 0;
}

static void say_goodbye(void) { puts("goodbye"); }

static int leave_open(void) {
  atexit(say_goodbye);
  fputs("hello\n", stdout);
  fprintf(stderr, "%s %lld %zu\n", "said", 1LL << 40, sizeof(char));
  return 3;
}

static int far_away(const char* path) {
  const long long far = 3LL << 30;
  FILE* file = fopen(path, "w+b");
  char text[10] = "";
  if (file == NULL || _fseeki64(file, far, SEEK_SET) != 0) return fail(path);
  if (fputs("far", file) < 0 || fflush(file) != 0) return fail(path);
  if (_ftelli64(file) != far + 3 || ftell(file) != -1) return 2;
  if (_fseeki64(file, -3, SEEK_END) != 0 || fgets(text, sizeof text, file) == NULL) return 3;
  rewind(file);
  printf("%s %d\n", text, getc(file));
  return fclose(file);
}

static int reopen(const char* path) {
  printf("before\n");
  if (freopen(path, "w", stdout) == NULL) return fail(path);
  if (_fileno(stdout) != 1) return 2;
  printf("after\n");
  fflush(stdout);
  return system("cmd /c echo child");
}

static int process(const char* command) {
  char line[100];
  FILE* const pipe = popen(command, "r");
  if (pipe == NULL) return fail(command);
  while (fgets(line, sizeof line, pipe) != NULL) printf("[%.*s]\n", (int)strcspn(line, "\n"), line);
  return pclose(pipe);
}

static int binary(const char* when) {
  if (strcmp(when, "later") == 0) printf("text\n"), fflush(stdout);
  _setmode(_fileno(stdout), _O_BINARY);
  printf("binary\n");
  fflush(stdout);
  if (freopen(NULL, "w", stdout) == NULL) return fail("stdout");
  printf("text\n");
  return 0;
}

static int temporary(void) {
  FILE* const file = tmpfile();
  if (file == NULL) return fail("tmpfile");
  fprintf(file, "one\n");
  printf("%ld\n", ftell(file));
  return 0;
}

int main(int count_of_words, char** words) {
  const char* const command = count_of_words > 1 ? words[1] : "";
  if (strcmp(command, "count") == 0) return count();
  if (strcmp(command, "copy") == 0) return copy(words[2], words[3], words[4], words[5]);
  if (strcmp(command, "add") == 0) return add();
  if (strcmp(command, "leave_open") == 0) return leave_open();
  if (strcmp(command, "far_away") == 0) return far_away(words[2]);
  if (strcmp(command, "reopen") == 0) return reopen(words[2]);
  if (strcmp(command, "process") == 0) return process(words[2]);
  if (strcmp(command, "binary") == 0) return binary(words[2]);
  if (strcmp(command, "temporary") == 0) return temporary();
  return 100;
}
