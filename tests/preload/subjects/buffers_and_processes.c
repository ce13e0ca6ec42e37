// usage: buffers_and_processes CASE
//
// Each case uses streams whose buffers change while they are in use, or starts processes in unusual
// ways. A case prints its observations, which are the same every time.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE* stream;  // open on "stream"

static long size_of(const char* name) {
  struct stat status;
  return stat(name, &status) == 0 ? (long)status.st_size : -errno;
}

// ---- a buffer whose rules change when it is in use ----

static void put_in_each_way(FILE* to) {
  fputs("by fputs\n", to);
  printf("%ld\n", size_of("stream"));
  fwrite("by fwrite\nand", 1, 13, to);
  printf("%ld\n", size_of("stream"));
  fputs_unlocked("by fputs_unlocked\n", to);
  printf("%ld\n", size_of("stream"));
  fwrite_unlocked("by fwrite_unlocked\n", 1, 19, to);
  printf("%ld\n", size_of("stream"));
  putc('\n', to);
  fputc('\n', to);
  printf("%ld\n", size_of("stream"));
}

static void late_lines(void) {
  for (int by_name = 0; by_name < 2; ++by_name) {
    stream = fopen("stream", "w");
    fputs("banner\n", stream);
    if (by_name) {
      setlinebuf(stream);
    } else {
      setvbuf(stream, NULL, _IOLBF, 0);
    }
    put_in_each_way(stream);
    fclose(stream);
  }
}

static void late_lines_and_no_exit(void) {
  printf("banner\n");
  setlinebuf(stdout);
  fputs("by fputs\n", stdout);
  fwrite("by fwrite\n", 1, 10, stdout);
  puts("one line\nand another");
  _exit(0);
}

static void other_buffers(void) {
  static char memory[BUFSIZ];
  for (int way = 0; way < 4; ++way) {
    stream = fopen("stream", "w");
    fputs("banner\n", stream);
    if (way == 0) setbuf(stream, NULL);
    if (way == 1) setbuf(stream, memory);
    if (way == 2) setbuffer(stream, memory, 20);
    if (way == 3) setbuffer(stream, NULL, 20);
    put_in_each_way(stream);
    fclose(stream);
  }
}

// ---- two system() at a time ----

static void* run_system(void* script) { return system(script) == 0 ? script : NULL; }

static void tell_ignored(void) {
  struct sigaction interrupt;
  struct sigaction quit;
  sigaction(SIGINT, NULL, &interrupt);
  sigaction(SIGQUIT, NULL, &quit);
  printf("ignored: %d %d\n", interrupt.sa_handler == SIG_IGN, quit.sa_handler == SIG_IGN);
}

static void overlapping_systems(void) {
  static char* const scripts[] = {"read word < first", "read word < second"};
  signal(SIGINT, SIG_DFL);
  signal(SIGQUIT, SIG_DFL);
  mkfifo("first", 0600);
  mkfifo("second", 0600);
  pthread_t threads[2];
  int ends[2];
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], NULL, run_system, scripts[i]);
    // This open waits until the command has opened its end. So the command runs by then.
    ends[i] = open(i == 0 ? "first" : "second", O_WRONLY);
  }
  tell_ignored();
  for (int i = 0; i < 2; ++i) {
    if (write(ends[i], "word\n", 5) != 5) return;
    void* result = NULL;
    pthread_join(threads[i], &result);
    printf("%d: %s\n", i, result == NULL ? "failed" : "ended well");
    tell_ignored();
  }
}

static void cancelled_system(void) {
  signal(SIGINT, SIG_DFL);
  signal(SIGQUIT, SIG_DFL);
  mkfifo("first", 0600);
  pthread_t thread;
  pthread_create(&thread, NULL, run_system, "echo started > first; exec sleep 30 > /dev/null 2>&1");
  const int end = open("first", O_RDONLY);
  char word[9] = "";
  printf("%zd %s", read(end, word, 8), word);
  pthread_cancel(thread);
  void* result = NULL;
  pthread_join(thread, &result);
  printf("cancelled: %d, children left: %d\n", result == PTHREAD_CANCELED,
         waitpid(-1, NULL, WNOHANG) >= 0);
  tell_ignored();
}

// ---- little stack ----

static void (*execute)(void);

static void execute_on_it(int number) {
  (void)number;
  execute();
  _exit(9);
}

static char* const words_to_say[] = {"echo", "executed", NULL};
static char* const words_of_script[] = {"script", NULL};
static void by_execv(void) { execv("/bin/echo", words_to_say); }
static void by_execvp(void) { execvp("echo", words_to_say); }
static void by_script(void) { execv("./script", words_of_script); }

static void exec_on_a_small_stack(void) {
  FILE* const script = fopen("script", "w");
  fputs("#! /bin/sh\necho script\n", script);
  fclose(script);
  chmod("script", 0755);
  void (*const ways[])(void) = {by_execv, by_execvp, by_script};
  for (int i = 0; i < 3; ++i) {
    execute = ways[i];
    fflush(stdout);
    const pid_t process = fork();
    if (process == 0) {
      enum { stack_bytes = 8192 };
      char* const memory =
          mmap(NULL, 2 * stack_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      const stack_t stack = {.ss_sp = memory + stack_bytes, .ss_size = stack_bytes};
      mprotect(memory + stack_bytes, stack_bytes, PROT_READ | PROT_WRITE);
      sigaltstack(&stack, NULL);
      const struct sigaction action = {.sa_handler = execute_on_it, .sa_flags = SA_ONSTACK};
      sigaction(SIGUSR1, &action, NULL);
      raise(SIGUSR1);
    }
    int status = 0;
    waitpid(process, &status, 0);
    printf("%d: %d\n", i, status);
  }
}

#define CASE(name) \
  { #name, name }
static const struct {
  const char* name;
  void (*run)(void);
} cases[] = {
    CASE(late_lines),          CASE(late_lines_and_no_exit), CASE(other_buffers),
    CASE(overlapping_systems), CASE(cancelled_system),       CASE(exec_on_a_small_stack),
};

int main(int count, char** words) {
  for (size_t i = 0; count == 2 && i < sizeof cases / sizeof *cases; ++i) {
    if (strcmp(words[1], cases[i].name) != 0) continue;
    cases[i].run();
    return 0;
  }
  return 2;
}
