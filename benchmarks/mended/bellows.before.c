/* Flow of air through a grid of ducts that a pair of bellows drives: prints the readings of the
 * gauges to a file, and a map of the pressure at the end. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WIDTH = 48, HEIGHT = 32, STEPS = 22000, GAUGES = 12 };

struct gauge {
  int x, y;
  float low, high;
};

static float pressure[HEIGHT][WIDTH], next[HEIGHT][WIDTH];
static unsigned char wall[HEIGHT][WIDTH];
static struct gauge gauges[GAUGES];
static uint32_t seed = 2718;

static unsigned pick(unsigned n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % n;
}

static void build(void) {
  for (int x = 0; x < WIDTH; x++) wall[0][x] = wall[HEIGHT - 1][x] = 1;
  for (int y = 0; y < HEIGHT; y++) wall[y][0] = wall[y][WIDTH - 1] = 1;
  for (int i = 0; i < 200; i++) wall[1 + pick(HEIGHT - 2)][1 + pick(WIDTH - 2)] = 1;
  for (int i = 0; i < GAUGES; i++) {
    do {
      gauges[i].x = 1 + pick(WIDTH - 2);
      gauges[i].y = 1 + pick(HEIGHT - 2);
    } while (wall[gauges[i].y][gauges[i].x]);
    gauges[i].low = 1e9f;
  }
}

static void step(int t) {
  int phase = t % 60;
  float blow = phase < 30 ? phase * 4.0f : (60 - phase) * 4.0f;
  for (int y = HEIGHT / 2 - 2; y <= HEIGHT / 2 + 2; y++) pressure[y][1] = blow;
  for (int y = 1; y < HEIGHT - 1; y++)
    for (int x = 1; x < WIDTH - 1; x++) {
      float here = pressure[y][x], sum = 0;
      sum += wall[y - 1][x] ? here : pressure[y - 1][x];
      sum += wall[y + 1][x] ? here : pressure[y + 1][x];
      sum += wall[y][x - 1] ? here : pressure[y][x - 1];
      sum += wall[y][x + 1] ? here : pressure[y][x + 1];
      next[y][x] = 0.999f * (here + 0.2f * (sum - 4 * here));
    }
  for (int y = 1; y < HEIGHT - 1; y++)
    for (int x = 1; x < WIDTH - 1; x++) pressure[y][x] = next[y][x];
}

static void read_gauges(int fd, int t) {
  dprintf(fd, "%d", t);
  for (int i = 0; i < GAUGES; i++) {
    struct gauge* g = &gauges[i];
    float p = pressure[g->y][g->x];
    if (p < g->low) g->low = p;
    if (p > g->high) g->high = p;
    dprintf(fd, ";%d", (int)(p * 100 + 0.5f));
  }
  dprintf(fd, "\n");
}

int main(void) {
  int fd = open("gauges.csv", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd < 0) {
    perror("gauges.csv");
    return 1;
  }
  build();
  dprintf(fd, "step");
  for (int i = 0; i < GAUGES; i++) dprintf(fd, ";gauge %d at %d/%d", i, gauges[i].x, gauges[i].y);
  dprintf(fd, "\n");
  for (int t = 0; t < STEPS; t++) {
    step(t);
    read_gauges(fd, t);
  }
  close(fd);
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++)
      putchar(wall[y][x] ? '#' : " .:-=+*%@"[(int)(pressure[y][x] / 15) % 9]);
    putchar('\n');
  }
  for (int i = 0; i < GAUGES; i++)
    printf("gauge %2d: %.2f to %.2f\n", i, gauges[i].low, gauges[i].high);
  return 0;
}
