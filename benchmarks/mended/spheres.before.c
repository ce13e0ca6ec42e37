/* spheres - renders the scene in "scene" (lines: x y z radius red green blue mirror) by ray
 * tracing with four rays a pixel, in two threads that take turns at the rows, and writes
 * the picture to spheres.ppm; the mean colour of the picture goes to standard output. */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define W 720
#define H 480
#define THREADS 2

struct vec {
  double x, y, z;
};
struct ball {
  struct vec at, colour;
  double r, mirror;
};

static struct ball balls[64];
static int nballs, fd, headlen;
static long sums[THREADS][3];

static struct vec add(struct vec a, struct vec b, double k) {
  a.x += b.x * k;
  a.y += b.y * k;
  a.z += b.z * k;
  return a;
}

static double dot(struct vec a, struct vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static struct vec unit(struct vec a) {
  struct vec none = {0, 0, 0};

  return add(none, a, 1 / sqrt(dot(a, a)));
}

/* the nearest ball that the ray from o along d meets, or NULL */
static struct ball* meet(struct vec o, struct vec d, double* far) {
  struct ball* best = NULL;
  int i;

  for (i = 0; i < nballs; i++) {
    struct vec oc = add(o, balls[i].at, -1);
    double b = dot(oc, d), c = dot(oc, oc) - balls[i].r * balls[i].r, q = b * b - c, t;
    if (q <= 0) continue;
    t = -b - sqrt(q);
    if (t > 1e-4 && t < *far) {
      *far = t;
      best = &balls[i];
    }
  }
  return best;
}

static struct vec shade(struct vec o, struct vec d, int depth) {
  struct vec sun = unit((struct vec){-0.5, 0.8, -0.4}), c, n, p;
  struct ball* hit;
  double far = 1e9, light, sky = 0.5 + 0.5 * d.y, dark = 1e9;

  if ((hit = meet(o, d, &far)) == NULL) return (struct vec){0.9 - 0.5 * sky, 0.9 - 0.3 * sky, 1};
  p = add(o, d, far);
  n = unit(add(p, hit->at, -1));
  light = dot(n, sun);
  if (light < 0 || meet(p, sun, &dark)) light = 0;
  c = add((struct vec){0, 0, 0}, hit->colour, 0.25 + 0.75 * light);
  if (hit->mirror > 0 && depth < 3) {
    struct vec back = shade(p, unit(add(d, n, -2 * dot(d, n))), depth + 1);
    c = add(add(c, c, -hit->mirror), back, hit->mirror);
  }
  return c;
}

static unsigned char level(double v) {
  v *= 255.0 / 4;
  return v > 255 ? 255 : v < 0 ? 0 : (unsigned char)v;
}

static void* rows(void* arg) {
  int me = *(int*)arg, x, y, s;
  unsigned char rgb[3];

  for (y = me; y < H; y += THREADS)
    for (x = 0; x < W; x++) {
      struct vec sum = {0, 0, 0}, eye = {0, 1, -6};
      for (s = 0; s < 4; s++) {
        struct vec d = {(x + (s & 1) * 0.5 - W / 2) / H, (H / 2 - y - (s >> 1) * 0.5) / H, 1.2};
        sum = add(sum, shade(eye, unit(d), 0), 1);
      }
      rgb[0] = level(sum.x);
      rgb[1] = level(sum.y);
      rgb[2] = level(sum.z);
      for (s = 0; s < 3; s++) sums[me][s] += rgb[s];
      if (pwrite(fd, rgb, 3, headlen + ((off_t)y * W + x) * 3) != 3) perror("spheres.ppm");
    }
  return NULL;
}

int main(void) {
  FILE* in = fopen("scene", "r");
  pthread_t thread[THREADS];
  int number[THREADS], i;
  char head[64];
  struct ball b;

  fd = open("spheres.ppm", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  headlen = snprintf(head, sizeof head, "P6\n%d %d\n255\n", W, H);
  if (in == NULL || fd < 0 || write(fd, head, headlen) != headlen) return 1;
  while (nballs < 64 && fscanf(in, "%lf %lf %lf %lf %lf %lf %lf %lf", &b.at.x, &b.at.y, &b.at.z,
                               &b.r, &b.colour.x, &b.colour.y, &b.colour.z, &b.mirror) == 8)
    balls[nballs++] = b;
  for (i = 0; i < THREADS; i++) {
    number[i] = i;
    pthread_create(&thread[i], NULL, rows, &number[i]);
  }
  for (i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (i = 0; i < 3; i++)
    printf("%s %.2f\n", &"red  \0green\0blue "[i * 6], (double)(sums[0][i] + sums[1][i]) / (W * H));
  return close(fd) < 0;
}
