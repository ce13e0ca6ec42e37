// usage: two_places FILE
//
// Writes to FILE at two places of the program. Starts a child by vfork() that fails to execute a
// program. exit() writes the pending bytes.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char** words) {
  if (count != 2) return 2;
  FILE* const stream = fopen(words[1], "w");
  for (int i = 0; i < 1000; ++i) fwrite("seven b", 1, 7, stream);
  for (int i = 0; i < 10; ++i) fputc('x', stream);
  const pid_t process = vfork();
  if (process == 0) {
    execl("/does/not/exist", "no", (char*)NULL);
    _exit(127);
  }
  waitpid(process, NULL, 0);
  return 0;
}
