/* gpstrack: one thread per receiver; parse NMEA captures, sum and simplify tracks */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXPT 20000
struct track {
  const char* file;
  int n, bad, kept, low;
  double dist, lat[MAXPT], lon[MAXPT], alt[MAXPT], rough;
  char keep[MAXPT];
};

/* read one sentence, without the line end; -1 at end of file */
static int get_sentence(FILE* fp, char* buf, int max) {
  int n = 0, c;
  while ((c = getc_unlocked(fp)) != EOF) {
    if (c == '\n') {
      buf[n] = 0;
      return n;
    }
    if (c != '\r' && n < max - 1) buf[n++] = c;
  }
  buf[n] = 0;
  return n ? n : -1;
}

static double degrees(const char* s) {
  double v = atof(s);
  int d = (int)(v / 100);
  return d + (v - d * 100) / 60;
}

static double haversine(double a1, double o1, double a2, double o2) {
  const double r = M_PI / 180;
  double s1 = sin((a2 - a1) * r / 2), s2 = sin((o2 - o1) * r / 2);
  return 2 * 6371000 * asin(sqrt(s1 * s1 + cos(a1 * r) * cos(a2 * r) * s2 * s2));
}

static void simplify(struct track* t, int a, int b) {
  double best = 0, dx = t->lon[b] - t->lon[a], dy = t->lat[b] - t->lat[a];
  double len = hypot(dx, dy);
  int at = -1;
  for (int i = a + 1; i < b; i++) {
    double px = t->lon[i] - t->lon[a], py = t->lat[i] - t->lat[a];
    double d = len > 0 ? fabs(px * dy - py * dx) / len : hypot(px, py);
    if (d > best) {
      best = d;
      at = i;
    }
  }
  if (best > 0.00012 && at > 0) {
    t->keep[at] = 1;
    simplify(t, a, at);
    simplify(t, at, b);
  }
}

static void* work(void* arg) {
  struct track* t = arg;
  char s[128], *f[20];
  FILE* fp = fopen(t->file, "r");
  if (!fp) {
    perror(t->file);
    return NULL;
  }
  while (get_sentence(fp, s, sizeof s) >= 0) {
    char* star = strchr(s, '*');
    if (s[0] != '$' || !star) {
      t->bad++;
      continue;
    }
    unsigned sum = 0;
    for (char* p = s + 1; p < star; p++) sum ^= (unsigned char)*p;
    if (sum != strtoul(star + 1, NULL, 16)) {
      t->bad++;
      continue;
    }
    *star = 0;
    int nf = 0;
    for (char* p = s; p && nf < 20; nf++) {
      f[nf] = p;
      p = strchr(p, ',');
      if (p) *p++ = 0;
    }
    if (nf < 10 || strcmp(f[0], "$GPGGA") || t->n == MAXPT) continue;
    t->lat[t->n] = degrees(f[2]);
    t->lon[t->n] = degrees(f[4]);
    t->alt[t->n] = atof(f[9]);
    if (atoi(f[7]) < 6) t->low++;
    t->n++;
  }
  fclose(fp);
  for (int i = 1; i < t->n; i++)
    t->dist += haversine(t->lat[i - 1], t->lon[i - 1], t->lat[i], t->lon[i]);
  for (int i = 0; i < t->n; i++) { /* roughness: altitude against a wide window */
    double m = 0;
    int c = 0;
    for (int k = i - 5000; k <= i + 5000; k++)
      if (k >= 0 && k < t->n) {
        m += t->alt[k];
        c++;
      }
    t->rough += fabs(t->alt[i] - m / c);
  }
  if (t->n > 1) {
    t->keep[0] = t->keep[t->n - 1] = 1;
    simplify(t, 0, t->n - 1);
  }
  for (int i = 0; i < t->n; i++) t->kept += t->keep[i];
  return NULL;
}

int main(void) {
  static struct track t[2] = {{.file = "track_a.nmea"}, {.file = "track_b.nmea"}};
  pthread_t th[2];
  for (int i = 0; i < 2; i++) pthread_create(&th[i], NULL, work, &t[i]);
  for (int i = 0; i < 2; i++) pthread_join(th[i], NULL);
  for (int i = 0; i < 2; i++) {
    printf("%s: %d fixes, %d bad, %d poor, %.1f m, roughness %.4f, %d points kept\n", t[i].file,
           t[i].n, t[i].bad, t[i].low, t[i].dist, t[i].rough / t[i].n, t[i].kept);
    for (int k = 0; k < t[i].n; k++)
      if (t[i].keep[k]) printf("  %.6f %.6f %.1f\n", t[i].lat[k], t[i].lon[k], t[i].alt[k]);
  }
  return 0;
}
