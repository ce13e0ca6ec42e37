// usage: locked_streams
//
// While one thread has the lock of a stream, another one calls a function of the stream. Prints
// whether the function waits for the lock.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static FILE* input;
static FILE* output;
static char text[100] = "text";

static void do_getc(void) { getc(input); }
static void do_fgetc(void) { fgetc(input); }
static void do_fread(void) { (void)!fread(text, 1, 2, input); }
static void do_fgets(void) { (void)!fgets(text, 4, input); }
static void do_getline(void) {
  static char* line;
  static size_t line_bytes;
  (void)!getline(&line, &line_bytes, input);
}
static void do_ftell(void) { ftell(input); }
static void do_fseek(void) { fseek(input, 1, SEEK_SET); }
static void do_putc(void) { putc('x', output); }
static void do_fputc(void) { fputc('x', output); }
static void do_fputs(void) { fputs("text", output); }
static void do_fwrite(void) { fwrite(text, 1, 2, output); }
static void do_puts(void) { puts("text"); }

#define CASE(name) \
  { #name, do_##name }
static const struct {
  const char* name;
  void (*run)(void);
} cases[] = {
    CASE(getc),  CASE(fgetc), CASE(fread), CASE(fgets), CASE(getline), CASE(ftell),
    CASE(fseek), CASE(putc),  CASE(fputc), CASE(fputs), CASE(fwrite),  CASE(puts),
};

static pid_t other;  // the other thread, from the moment at which it is about to call
static int is_done;

static void* call(void* run) {
  __atomic_store_n(&other, (pid_t)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
  (*(void (*const*)(void))run)();
  __atomic_store_n(&is_done, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

// A thread that runs has the state R. The other thread can sleep only for the lock.
static int sleeps(pid_t thread) {
  char name[64];
  char state[512] = "";
  snprintf(name, sizeof name, "/proc/self/task/%d/stat", (int)thread);
  const int file = open(name, O_RDONLY);
  if (read(file, state, sizeof state - 1) < 0) abort();
  close(file);
  const char* const end = strrchr(state, ')');
  return end != NULL && end[2] == 'S';
}

static int waits(void (*const* run)(void)) {
  pthread_t thread;
  other = 0;
  is_done = 0;
  flockfile(input);
  flockfile(output);
  flockfile(stdout);
  pthread_create(&thread, NULL, call, (void*)run);
  while (__atomic_load_n(&other, __ATOMIC_SEQ_CST) == 0) sched_yield();
  int found = 0;
  while (!found && !__atomic_load_n(&is_done, __ATOMIC_SEQ_CST)) found = sleeps(other);
  funlockfile(stdout);
  funlockfile(output);
  funlockfile(input);
  pthread_join(thread, NULL);
  return found;
}

int main(void) {
  output = fopen("file", "w");
  for (int i = 0; i < 100; ++i) fputs("one line\n", output);
  fflush(output);
  fputs("room", output);
  input = fopen("file", "r");
  getc(input);
  puts("room");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const int found = waits(&cases[i].run);
    printf("%s %s\n", cases[i].name, found ? "waits" : "goes on");
  }
  return 0;
}
