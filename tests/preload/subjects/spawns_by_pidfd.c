// usage: spawns_by_pidfd
//
// Lets other processes look at a file after each of its lines, by the functions of newer C
// libraries that start a process.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

typedef int Spawn(int*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                  char* const[], char* const[]);
Spawn pidfd_spawn;
Spawn pidfd_spawnp;

static void look_by(Spawn* spawn, const char* path) {
  char* words[] = {"sh", "-c", "wc -c < file", NULL};
  int descriptor = -1;
  const int error = spawn(&descriptor, path, NULL, NULL, words, environ);
  siginfo_t end = {0};
  if (error != 0 || waitid(P_PIDFD, (id_t)descriptor, &end, WEXITED) != 0) printf("failed\n");
  close(descriptor);
}

int main(void) {
  const int file = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  setvbuf(stdout, NULL, _IONBF, 0);
  if (write(file, "a line\n", 7) != 7) return 2;
  look_by(pidfd_spawn, "/bin/sh");
  if (write(file, "a line\n", 7) != 7) return 2;
  look_by(pidfd_spawnp, "sh");
  printf("%d\n", pidfd_spawnp(NULL, "/no/such/program", NULL, NULL, environ, environ) != 0);
  return close(file);
}
