// usage: children HOW FILE BYTES [write]
//
// Writes BYTES bytes to FILE, by fwrite() or write(). Another process then looks at the file or
// shares it. Then the first process writes on.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static char look[4096];

static FILE* stream;
static int descriptor = -1;

static void write_piece(const char* piece, size_t bytes) {
  if (stream != NULL) {
    fwrite(piece, 1, bytes, stream);
  } else if (write(descriptor, piece, bytes) != (ssize_t)bytes) {
    perror("write");
  }
}

static void write_lines(long bytes) {
  char piece[101];
  for (long i = 0; bytes > 0; bytes -= 100, ++i) {
    snprintf(piece, sizeof piece, "%099ld\n", i);
    write_piece(piece, bytes < 100 ? (size_t)bytes : 100);
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

static void write_to_pipe(void) {
  FILE* const pipe = popen("cat; wc -c < file", "w");
  fputs("told\n", pipe);
  write_lines(300);
  printf("pclose %d\n", pclose(pipe));
}

static void read_from_pipe(void) {
  FILE* const pipe = popen(look, "r");
  char line[200];
  while (fgets(line, sizeof line, pipe) != NULL) fputs(line, stdout);
  printf("pclose %d\n", pclose(pipe));
}

static void fork_and(const char* how) {
  const pid_t process = fork();
  if (process == 0) {
    write_piece("from the child\n", 15);
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
  if (count != 4 && count != 5) return 2;
  const char* const how = words[1];
  setvbuf(stdout, NULL, _IONBF, 0);
  snprintf(look, sizeof look, "wc -c < '%s'", words[2]);
  if (count == 4) stream = fopen(words[2], "w");
  if (count == 5) descriptor = open(words[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  write_lines(strtol(words[3], NULL, 10));
  if (strcmp(how, "system") == 0) printf("system %d\n", system(look));
  if (strcmp(how, "popen") == 0) read_from_pipe();
  if (strcmp(how, "popen w") == 0) write_to_pipe();
  if (strcmp(how, "spawn") == 0) spawn("/bin/sh");
  if (strcmp(how, "vfork") == 0) vfork_and_fail();
  if (strncmp(how, "fork", 4) == 0) fork_and(how);
  write_lines(5000);
  printf("closed %d\n", stream != NULL ? fclose(stream) : close(descriptor));
  return 0;
}
