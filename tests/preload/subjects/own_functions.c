// usage: own_functions execl|execv|execvp
//
// Has functions of its own in the place of some of the C library's. Each calls another function of
// the C library, which works without the first one.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int execve(const char* path, char* const words[], char* const environment[]) {
  environ = (char**)environment;
  return execv(path, words);
}

int execvpe(const char* file, char* const words[], char* const environment[]) {
  environ = (char**)environment;
  return execvp(file, words);
}

int vdprintf(int descriptor, const char* format, va_list list) {
  char text[100];
  vsnprintf(text, sizeof text, format, list);
  return dprintf(descriptor, "%s", text);
}

int main(int count, char** words) {
  char* const command[] = {"sh", "-c", "echo started", NULL};
  if (count != 2 || dprintf(STDOUT_FILENO, "%d\n", 1) != 2) return 2;
  if (strcmp(words[1], "execl") == 0) execl("/bin/sh", "sh", "-c", "echo started", (char*)NULL);
  if (strcmp(words[1], "execv") == 0) execv("/bin/sh", command);
  if (strcmp(words[1], "execvp") == 0) execvp("sh", command);
  return 3;
}
