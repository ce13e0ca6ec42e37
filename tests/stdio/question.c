// Asks a question on a terminal, without a newline, and reads the answer.
#include <stdio.h>

int main(void) {
  char answer[100];
  printf("your name? ");
  if (fgets(answer, sizeof answer, stdin) == NULL) return 1;
  printf("hello %s", answer);
  return 0;
}
