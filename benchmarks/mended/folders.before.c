// Makes a folder for each customer, by the command mkdir, and removes it by rmdir.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char line[256], command[128];
  long sum = 0;
  for (int i = 0; i < 200 && fgets(line, sizeof line, stdin) != NULL; ++i) {
    int number = 0, customer = 0;
    if (sscanf(line, "line-%d %d", &number, &customer) != 2) continue;
    snprintf(command, sizeof command, "mkdir customer-%d", number);
    sum += system(command) + customer;
    snprintf(command, sizeof command, "rmdir customer-%d", number);
    sum += system(command);
  }
  printf("%ld\n", sum);
}
