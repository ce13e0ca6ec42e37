// Two threads share a stream. The thread sanitizer finds nothing, although it does not see the
// locks of the library.
#include <pthread.h>
#include <stdio.h>

static void* print(void* unused) {
  (void)unused;
  for (int i = 0; i < 1000; ++i) {
    fputc('x', stdout);
    printf("text\n");
    printf("%d\n", i);
  }
  return NULL;
}

int main(void) {
  pthread_t other;
  fputc('x', stdout);
  if (pthread_create(&other, NULL, print, NULL) != 0) return 1;
  print(NULL);
  pthread_join(other, NULL);
  return fclose(stdout) == 0 ? 0 : 1;
}
