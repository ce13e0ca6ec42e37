// Names each call that takes no lock although SLUICE_STDIO_LOCKED is defined. The linker gives the
// calls of sluice_stdio_lock() to the function below (--wrap). With an argument the process has no
// second thread: then a call after the first one of its stream takes no lock.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long locks;
void __real_sluice_stdio_lock(FILE* file);
void __wrap_sluice_stdio_lock(FILE* file);
void __wrap_sluice_stdio_lock(FILE* file) {
  ++locks;
  __real_sluice_stdio_lock(file);
}

static long missing;
#define EXPECT_LOCK(call)                                    \
  do {                                                       \
    const long before = locks;                               \
    (void)(call);                                            \
    if (locks == before) ++missing, puts("no lock: " #call); \
  } while (0)

static void with_list(FILE* file, const char* format, ...) {
  va_list list;
  va_start(list, format);
  EXPECT_LOCK(vfprintf(file, format, list));
  EXPECT_LOCK(vfscanf(file, format, list));
  EXPECT_LOCK(vprintf(format, list));
  EXPECT_LOCK(vscanf(format, list));
  va_end(list);
}

static void write_to(FILE* file) {
  EXPECT_LOCK(fputc('x', file));
  EXPECT_LOCK(putc('x', file));
  EXPECT_LOCK(fwrite("x", 1, 1, file));
  EXPECT_LOCK(fputs("x", file));
  EXPECT_LOCK(putw(1, file));
  EXPECT_LOCK(fprintf(file, "x"));
  EXPECT_LOCK(fprintf(file, "%c", 'x'));
  EXPECT_LOCK(fprintf(file, "%s", "x"));
  EXPECT_LOCK(fprintf(file, "%s\n", "x"));
  EXPECT_LOCK(fprintf(file, "%d", 1));
  EXPECT_LOCK(fflush(file));
  EXPECT_LOCK(printf("%s", ""));
  EXPECT_LOCK(puts("put"));
  EXPECT_LOCK(putchar('\n'));
  EXPECT_LOCK(perror("told"));
}

static void move(FILE* file) {
  fpos_t position;
  EXPECT_LOCK(fgetpos(file, &position));
  EXPECT_LOCK(fsetpos(file, &position));
  EXPECT_LOCK(fseek(file, 0, SEEK_SET));
  EXPECT_LOCK(fseeko(file, 0, SEEK_SET));
  EXPECT_LOCK(ftell(file));
  EXPECT_LOCK(ftello(file));
  EXPECT_LOCK(rewind(file));
  EXPECT_LOCK(ferror(file));
  EXPECT_LOCK(feof(file));
  EXPECT_LOCK(clearerr(file));
  const long before = locks;
  (void)fileno(file);  // takes no lock in glibc either
  if (locks != before) ++missing, puts("a lock: fileno");
}

static void read_from(FILE* file) {
  char bytes[9];
  char* line = NULL;
  size_t line_bytes = 0;
  int unused = 0;
  EXPECT_LOCK(fgetc(file));
  EXPECT_LOCK(getc(file));
  EXPECT_LOCK(ungetc('x', file));
  EXPECT_LOCK(fread(bytes, 1, 1, file) == 1);
  EXPECT_LOCK(fgets(bytes, sizeof bytes, file) != NULL);
  EXPECT_LOCK(getline(&line, &line_bytes, file) > 0);
  EXPECT_LOCK(getdelim(&line, &line_bytes, ' ', file) > 0);
  EXPECT_LOCK(getw(file));
  EXPECT_LOCK(fscanf(file, "%d", &unused) == 1);
  EXPECT_LOCK(scanf("%d", &unused) == 1);
  EXPECT_LOCK(getchar());
  free(line);
}

static void* wait_for_the_end(void* unused) {
  while (pause() != 0) continue;
  return unused;
}

static int needs_no_lock(FILE* file) {
  fputc('x', file);
  const long before = locks;
  for (int i = 0; i < 100; ++i) fputc('x', file), ferror(file), fprintf(file, "%d", i);
  return before == 1 && locks == 1;
}

int main(int count, char** arguments) {
  (void)arguments;
  FILE* const file = tmpfile();
  if (file == NULL) return 2;
  if (count > 1) return needs_no_lock(file) ? 0 : 1;
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_the_end, NULL) != 0) return 3;
  write_to(file);
  move(file);
  read_from(file);
  with_list(file, "%%");
  EXPECT_LOCK(setvbuf(file, NULL, _IOFBF, 0));
  EXPECT_LOCK(setbuf(file, NULL));
  EXPECT_LOCK(setbuffer(file, NULL, 0));
  EXPECT_LOCK(setlinebuf(file));
  return missing != 0;
}
