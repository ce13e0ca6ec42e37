// Makes a folder for each customer, by a call, and removes it by another.
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  char line[256], name[128];
  long sum = 0;
  for (int i = 0; i < 200 && fgets(line, sizeof line, stdin) != NULL; ++i) {
    int number = 0, customer = 0;
    if (sscanf(line, "line-%d %d", &number, &customer) != 2) continue;
    snprintf(name, sizeof name, "customer-%d", number);
    sum += mkdir(name, 0777) + customer;
    sum += rmdir(name);
  }
  printf("%ld\n", sum);
}
