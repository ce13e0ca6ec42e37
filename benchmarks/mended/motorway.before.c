/* motorway: the traffic jam model of Nagel and Schreckenberg on a ring road.
 * A running simulation can be ended early by making a file named STOP in the
 * current directory.  Writes the mean speed now and then to speed.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CELLS 60
#define CARS 18
#define VMAX 5
#define STEPS 700000L
#define EVERY 2000

static int pos[CARS], speed[CARS];
static unsigned long seed = 12345;

static unsigned int rnd(void) {
  seed = seed * 6364136223846793005UL + 1442695040888963407UL;
  return (unsigned int)(seed >> 33);
}

static int stop_requested(void) { return access("STOP", F_OK) == 0; }

static int step(void) {
  int sum = 0;

  for (int i = 0; i < CARS; i++) {
    int ahead = pos[(i + 1) % CARS];
    int gap = (ahead - pos[i] - 1 + CELLS) % CELLS;

    if (speed[i] < VMAX) speed[i]++;
    if (speed[i] > gap) speed[i] = gap;
    if (speed[i] > 0 && rnd() % 100 < 20) speed[i]--;
    sum += speed[i];
  }
  for (int i = 0; i < CARS; i++) {
    pos[i] += speed[i];
    if (pos[i] >= CELLS) pos[i] -= CELLS;
  }
  return sum;
}

int main(void) {
  FILE* out = fopen("speed.txt", "w");
  long sum = 0, n;

  if (!out) {
    perror("speed.txt");
    return 1;
  }
  for (int i = 0; i < CARS; i++) pos[i] = i * 3;
  for (n = 1; n <= STEPS; n++) {
    if (stop_requested()) {
      printf("stopped\n");
      break;
    }
    sum += step();
    if (n % EVERY == 0) {
      fprintf(out, "%ld %.4f\n", n, (double)sum / (EVERY * CARS));
      sum = 0;
    }
  }
  fclose(out);
  printf("%ld steps\n", n - 1);
  return 0;
}
