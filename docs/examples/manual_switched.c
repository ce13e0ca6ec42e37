// The example of unchanged source in sluice(3). It is compiled by `cc -include sluice/stdio.h`.
#include <stdio.h>

int main(void) {
  FILE* file = fopen("numbers", "w");
  for (int i = 0; file != NULL && i < 1000; ++i) fprintf(file, "%d\n", i);
  if (file != NULL && fclose(file) == 0) return 0;
  perror("numbers");
  return 1;
}
