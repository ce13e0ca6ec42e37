// Ends in the way that argv[1] names, with bytes in the buffer of standard output.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void last_words(void) { fputs("atexit\n", stdout); }

static void fork_and_wait(void) {
  const pid_t child = fork();
  if (child == 0) exit(3);
  waitpid(child, NULL, 0);
}

// Leaves the rest of standard input to the next program.
static int first_line(void) {
  char line[100];
  if (fgets(line, sizeof line, stdin) == NULL) return 1;
  printf("first: %s", line);
  fflush(stdout);
  return 0;
}

static void* hold_lock(void* stream) {
  flockfile(stream);
  for (;;) pause();
  return NULL;
}

static void let_a_thread_hold_the_lock(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, hold_lock, stdout);
  while (ftrylockfile(stdout) == 0) {
    funlockfile(stdout);
    usleep(1000);
  }
}

int main(int count, char** arguments) {
  const char* const way = count > 1 ? arguments[1] : "";
  if (strcmp(way, "line") == 0) return first_line();
  printf("buffered %d %s\n", 42, way);
  fprintf(stderr, "told at once\n");
  if (strcmp(way, "atexit") == 0) atexit(last_words);
  if (strcmp(way, "fork") == 0) fork_and_wait();
  if (strcmp(way, "_exit") == 0) _exit(4);
  if (strcmp(way, "abort") == 0) abort();
  if (strcmp(way, "exit") == 0) exit(5);
  if (strcmp(way, "close") == 0) return fclose(stdout) == 0 ? 0 : 6;
  if (strcmp(way, "flush") == 0 && fflush(stdout) != 0) perror("flush");
  if (strcmp(way, "locked") == 0) {
    let_a_thread_hold_the_lock();
    return 8;
  }
  if (strcmp(way, "reopen") == 0 && freopen("/dev/null", "w", stdout) == NULL) return 7;
  putchar('.');
  puts(way);
  return ferror(stdout) != 0;
}
