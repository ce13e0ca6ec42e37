// Ends while another thread waits for standard input and holds its lock.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void* wait_for_input(void* nothing) {
  (void)getchar();
  return nothing;
}

int main(void) {
  pthread_t reader;
  if (pthread_create(&reader, NULL, wait_for_input, NULL) != 0) return 1;
  usleep(100000);
  fputs("the last words\n", stdout);
  return 0;
}
