// usage: children HOW FILE BYTES
//
// Writes BYTES bytes to FILE, lets another process look at it or share it, writes on.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static char look[4096];

static void write_lines(FILE* stream, long bytes) {
  char piece[101];
  for (long i = 0; bytes > 0; bytes -= 100, ++i) {
    snprintf(piece, sizeof piece, "%099ld\n", i);
    fwrite(piece, 1, bytes < 100 ? (size_t)bytes : 100, stream);
  }
}

static void wait_for(pid_t process) {
  int status = 0;
  waitpid(process, &status, 0);
  printf("status %d\n", status);
}

static void spawn(const char* path) {
  char* words[] = {"sh", "-c", look, NULL};
  pid_t process = 0;
  const int error = posix_spawn(&process, path, NULL, NULL, words, environ);
  wait_for(process);
  printf("spawn %d\n", error);
}

static void read_from_pipe(void) {
  FILE* const pipe = popen(look, "r");
  char line[200];
  while (fgets(line, sizeof line, pipe) != NULL) fputs(line, stdout);
  printf("pclose %d\n", pclose(pipe));
}

static void fork_and(const char* how, FILE* stream) {
  const pid_t process = fork();
  if (process == 0) {
    fputs("from the child\n", stream);
    if (strcmp(how, "fork exit") == 0) exit(3);
    if (strcmp(how, "fork exec") == 0) execlp("sh", "sh", "-c", look, (char*)NULL);
    _exit(3);
  }
  wait_for(process);
}

static void vfork_and_fail(void) {
  const pid_t process = vfork();
  if (process == 0) {
    execl("/does/not/exist", "no", (char*)NULL);
    _exit(127);
  }
  wait_for(process);
}

int main(int count, char** words) {
  if (count != 4) return 2;
  const char* const how = words[1];
  setvbuf(stdout, NULL, _IONBF, 0);
  snprintf(look, sizeof look, "wc -c < '%s'", words[2]);
  FILE* const stream = fopen(words[2], "w");
  write_lines(stream, strtol(words[3], NULL, 10));
  if (strcmp(how, "system") == 0) printf("system %d\n", system(look));
  if (strcmp(how, "popen") == 0) read_from_pipe();
  if (strcmp(how, "spawn") == 0) spawn("/bin/sh");
  if (strcmp(how, "vfork") == 0) vfork_and_fail();
  if (strncmp(how, "fork", 4) == 0) fork_and(how, stream);
  write_lines(stream, 5000);
  printf("fclose %d\n", fclose(stream));
  return 0;
}
