// Draws the Mandelbrot set in two threads. Each writes its half of the picture, a byte at a time.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
enum { kWidth = 1920, kHeight = 1600, kThreads = 2, kRows = kHeight / kThreads, kMostSteps = 150 };
static const char kHeader[] = "P6 1920 1600 255\n";

static int steps_at(double x, double y) {
  double a = 0, b = 0;
  int steps = 0;
  for (; steps < kMostSteps && a * a + b * b < 4; ++steps) {
    double next = a * a - b * b + x;
    b = 2 * a * b + y;
    a = next;
  }
  return steps;
}

static void* draw(void* band) {
  long first = *(int*)band * (long)kRows;
  FILE* out = fopen("out", "r+b");
  if (out == NULL || fseek(out, (long)sizeof kHeader - 1 + first * kWidth * 3, SEEK_SET)) abort();
  for (long row = first; row < first + kRows; ++row) {
    for (int column = 0; column < kWidth; ++column) {
      int steps = steps_at(column * 3.5 / kWidth - 2.5, row * 2.8 / kHeight - 1.4);
      fputc(steps * 5, out);
      fputc(steps * 3 ^ 0x40, out);
      fputc(255 - steps * 5, out);
    }
  }
  fclose(out);
  return NULL;
}

int main(void) {
  FILE* out = fopen("out", "wb");
  if (out == NULL) return 1;
  fputs(kHeader, out);
  fclose(out);
  pthread_t threads[kThreads];
  int bands[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    bands[i] = i;
    pthread_create(&threads[i], NULL, draw, &bands[i]);
  }
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  return 0;
}
