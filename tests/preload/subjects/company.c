// usage: company HOW
//
// Writes a large file while the same process does something else.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { lines = 1000000 };

static int stopped;
static int pipe_ends[2];

static void print_lines(FILE* stream, int from, int count) {
  for (int i = from; i < from + count; ++i) {
    char line[16];
    const int bytes = snprintf(line, sizeof line, "%07d\n", i);
    fwrite(line, 1, (size_t)bytes, stream);
  }
}

static void handle(int number) {
  (void)number;
  if (write(pipe_ends[1], "x", 1) < 0) return;
}

static void with_a_handler(FILE* stream) {
  pipe2(pipe_ends, O_NONBLOCK);
  print_lines(stream, 0, lines / 10);
  signal(SIGALRM, handle);
  const struct itimerval often = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &often, NULL);
  print_lines(stream, lines / 10, lines);
}

static void* look(void* unused) {
  struct stat status;
  while (!__atomic_load_n(&stopped, __ATOMIC_SEQ_CST)) stat("/tmp", &status);
  return unused;
}

static void* fork_often(void* unused) {
  while (!__atomic_load_n(&stopped, __ATOMIC_SEQ_CST)) {
    const pid_t process = fork();
    if (process == 0) _exit(0);
    waitpid(process, NULL, 0);
  }
  return unused;
}

static void with_a_thread(FILE* stream, void* (*other)(void*)) {
  print_lines(stream, 0, lines / 10);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  for (int i = lines / 10; i < lines; ++i) {
    char line[16];
    const int bytes = snprintf(line, sizeof line, "%07d\n", i);
    fwrite_unlocked(line, 1, (size_t)bytes, stream);
  }
  __atomic_store_n(&stopped, 1, __ATOMIC_SEQ_CST);
  pthread_join(thread, NULL);
}

static void with_another_stream(FILE* stream) {
  print_lines(stream, 0, 50000);
  setvbuf(stream, NULL, _IOFBF, 0);
  FILE* const other = fopen("other", "w");
  print_lines(other, 500000, 50000);
  print_lines(stream, 50000, 300);
  print_lines(other, 550000, 300);
  fclose(other);
}

static void* open_pipes(void* unused) {
  for (int i = 0; i < 50; ++i) {
    FILE* const pipe = popen("true", "r");
    if (pipe != NULL) pclose(pipe);
  }
  return unused;
}

static void with_pipes(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, open_pipes, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  printf("HOME=%s\n", getenv("HOME"));
}

int main(int count, char** words) {
  if (count != 2) return 2;
  FILE* const stream = fopen("file", "w");
  if (strcmp(words[1], "handler") == 0) with_a_handler(stream);
  if (strcmp(words[1], "thread") == 0) with_a_thread(stream, look);
  if (strcmp(words[1], "forks") == 0) with_a_thread(stream, fork_often);
  if (strcmp(words[1], "stream") == 0) with_another_stream(stream);
  if (strcmp(words[1], "pipes") == 0) with_pipes();
  return fclose(stream) != 0;
}
