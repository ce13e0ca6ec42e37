/* quarry: reads loads.txt (a lorry in each line: "name stone weight...", the
 * weights of its stones in tons) and writes the weighbridge book, bridge.txt. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double price(const char* stone) {
  if (strcmp(stone, "marble") == 0) return 310;
  if (strcmp(stone, "granite") == 0) return 140;
  if (strcmp(stone, "slate") == 0) return 95;
  return 18;
}

int main(void) {
  char *line = NULL, name[16], stone[16];
  size_t size = 0;
  double tons = 0, money = 0;
  int loads = 0;
  FILE* in = fopen("loads.txt", "r");
  FILE* book = fopen("bridge.txt", "w");

  if (!in || !book) {
    perror("quarry");
    return 1;
  }
  while (getline(&line, &size, in) > 0) {
    int used = 0, n = 0;
    double sum = 0, squares = 0, w;
    char *p, *end;

    if (sscanf(line, "%15s %15s%n", name, stone, &used) != 2) continue;
    for (p = line + used; w = strtod(p, &end), end != p; p = end) {
      sum += w;
      squares += w * w;
      n++;
    }
    fprintf(book, "%s %s %d stones %.3f t, spread %.3f, %.2f\n", name, stone, n, sum,
            sqrt(squares / n - sum / n * (sum / n)), sum * price(stone));
    fflush(book);
    fsync(fileno(book));
    tons += sum;
    money += sum * price(stone);
    loads++;
  }
  free(line);
  fclose(in);
  fclose(book);
  printf("%d loads, %.1f t, %.2f\n", loads, tons, money);
  return 0;
}
