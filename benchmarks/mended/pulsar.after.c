/* pulsar: fold photon arrival times with the spin period of a pulsar.
 * Reads photons.txt (time in seconds, energy in keV), writes folded.txt
 * (pulse number, phase, energy band) and prints the pulse profile. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BINS 32

static const double period = 0.0333924123;
static const double pdot = 4.20972e-13;
static const double epoch = 120.0;

static double phase_at(double t) {
  double dt = t - epoch;
  double f = 1.0 / period;
  double fdot = -pdot / (period * period);

  return dt * f + 0.5 * fdot * dt * dt;
}

static char band_of(double kev) {
  if (kev < 2.0) return 'S';
  return kev < 10.0 ? 'M' : 'H';
}

int main(void) {
  FILE* in = fopen("photons.txt", "r");
  FILE* out = fopen("folded.txt", "w");
  long profile[BINS] = {0};
  long total = 0;
  double t, kev;

  if (!in || !out) {
    perror("pulsar");
    return 1;
  }
  while (fscanf(in, "%lf %lf", &t, &kev) == 2) {
    double turns = phase_at(t);
    double whole = floor(turns);
    double phase = turns - whole;

    profile[(int)(phase * BINS) % BINS]++;
    total++;
    fprintf(out, "%ld %.5f %c\n", (long)whole, phase, band_of(kev));
  }
  fclose(in);
  fclose(out);

  printf("%ld photons\n", total);
  for (int i = 0; i < BINS; i++) printf("%2d %6ld\n", i, profile[i]);
  return 0;
}
