/* pendulum: simulate a double pendulum (fourth order Runge-Kutta) and record
 * the state of every step in trace.bin: time, both angles, both velocities,
 * each a double. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STEPS 290000
#define DT 0.0005

static const double gravity = 9.81, l1 = 1.0, l2 = 0.7, m1 = 1.2, m2 = 0.8;

static void derive(const double s[4], double d[4]) {
  double delta = s[0] - s[1];
  double c = cos(delta), sn = sin(delta);
  double den = 2 * m1 + m2 - m2 * (2 * c * c - 1);

  d[0] = s[2];
  d[1] = s[3];
  d[2] = (-gravity * (2 * m1 + m2) * sin(s[0]) - m2 * gravity * sin(s[0] - 2 * s[1]) -
          2 * sn * m2 * (s[3] * s[3] * l2 + s[2] * s[2] * l1 * c)) /
         (l1 * den);
  d[3] = (2 * sn *
          (s[2] * s[2] * l1 * (m1 + m2) + gravity * (m1 + m2) * cos(s[0]) +
           s[3] * s[3] * l2 * m2 * c)) /
         (l2 * den);
}

static void step(double s[4]) {
  double k1[4], k2[4], k3[4], k4[4], t[4];

  derive(s, k1);
  for (int i = 0; i < 4; i++) t[i] = s[i] + 0.5 * DT * k1[i];
  derive(t, k2);
  for (int i = 0; i < 4; i++) t[i] = s[i] + 0.5 * DT * k2[i];
  derive(t, k3);
  for (int i = 0; i < 4; i++) t[i] = s[i] + DT * k3[i];
  derive(t, k4);
  for (int i = 0; i < 4; i++) s[i] += DT / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}

static void put_double(FILE* f, double v) {
  if (fwrite(&v, sizeof v, 1, f) != 1) {
    perror("trace.bin");
    exit(1);
  }
}

int main(void) {
  double s[4] = {2.0, 1.5, 0, 0};
  double fastest = 0;
  FILE* f = fopen("trace.bin", "wb");

  if (!f) {
    perror("trace.bin");
    return 1;
  }
  for (long n = 0; n < STEPS; n++) {
    put_double(f, n * DT);
    for (int i = 0; i < 4; i++) put_double(f, s[i]);
    step(s);
    if (fabs(s[3]) > fastest) fastest = fabs(s[3]);
  }
  fclose(f);
  printf("after %d steps: %.6f %.6f, fastest %.6f\n", STEPS, s[0], s[1], fastest);
  return 0;
}
