// usage: forks_in_loader
//
// Forks while another thread has the loader's list of libraries to itself, as dlopen() has it for a
// moment.
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int inside[2];
static int leave[2];

static int stay(struct dl_phdr_info* info, size_t bytes, void* unused) {
  (void)info, (void)bytes, (void)unused;
  char byte = 0;
  return write(inside[1], "", 1) == 1 && read(leave[0], &byte, 1) == 1;
}

static void* look_at_list(void* unused) {
  dl_iterate_phdr(stay, NULL);
  return unused;
}

int main(void) {
  const struct timespec long_time = {20, 0};
  char byte = 0;
  sigset_t end_of_child;
  sigemptyset(&end_of_child);
  sigaddset(&end_of_child, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &end_of_child, NULL);
  FILE* const file = fopen("file", "w");
  pthread_t other;
  if (file == NULL || pipe(inside) != 0 || pipe(leave) != 0) return 2;
  if (pthread_create(&other, NULL, look_at_list, NULL) != 0) return 2;
  if (read(inside[0], &byte, 1) != 1) return 2;
  const pid_t child = fork();
  if (child == 0) {
    fputs("from the child\n", file);
    fclose(file);
    _exit(0);
  }
  const int ended = sigtimedwait(&end_of_child, NULL, &long_time) == SIGCHLD;
  if (!ended) kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  if (write(leave[1], "", 1) != 1) return 2;
  pthread_join(other, NULL);
  return ended ? 0 : 1;
}
