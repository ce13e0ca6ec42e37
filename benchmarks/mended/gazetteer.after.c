// gazetteer: great-circle distances between pairs of places, looked up in the sorted file
// places.dat
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECLEN 80
#define KEYLEN 11
#define LEGS 3000

struct place {
  char name[KEYLEN + 1];
  double lat, lon;
};

static const char* map;
static long count;

static void fetch(long i, char rec[RECLEN + 1]) {
  memcpy(rec, map + (size_t)i * RECLEN, RECLEN);
  rec[RECLEN] = '\0';
}

static int find(const char* name, struct place* out) {
  char rec[RECLEN + 1];
  long lo = 0, hi = count - 1;
  while (lo <= hi) {
    long mid = (lo + hi) / 2;
    fetch(mid, rec);
    int c = strncmp(name, rec, KEYLEN);
    if (c == 0) {
      char* end;
      memcpy(out->name, rec, KEYLEN);
      out->name[KEYLEN] = '\0';
      out->lat = strtod(rec + KEYLEN, &end);
      out->lon = strtod(end, NULL);
      return 1;
    }
    if (c < 0)
      hi = mid - 1;
    else
      lo = mid + 1;
  }
  return 0;
}

static double distance(const struct place* a, const struct place* b) {
  const double d = M_PI / 180;
  double u = sin((b->lat - a->lat) * d / 2), v = sin((b->lon - a->lon) * d / 2);
  double h = u * u + cos(a->lat * d) * cos(b->lat * d) * v * v;
  return 2 * 6371.0 * asin(sqrt(h > 1 ? 1 : h));
}

/* length of the way when it is flown in legs, as the crow flies with a wind from the west */
static double flight(const struct place* a, const struct place* b) {
  double total = 0;
  struct place p = *a, q;
  for (int i = 1; i <= LEGS; i++) {
    q = *a;
    q.lat = a->lat + (b->lat - a->lat) * i / LEGS;
    q.lon = a->lon + (b->lon - a->lon) * i / LEGS;
    total += distance(&p, &q) * (q.lon > p.lon ? 0.96 : 1.05);
    p = q;
  }
  return total;
}

int main(void) {
  struct stat st;
  int fd = open("places.dat", O_RDONLY);
  if (fd < 0 || fstat(fd, &st) < 0) {
    perror("places.dat");
    return 1;
  }
  count = (long)(st.st_size / RECLEN);
  map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (map == MAP_FAILED) {
    perror("places.dat");
    return 1;
  }
  close(fd);

  char a[64], b[64];
  long unknown = 0;
  while (scanf("%63s %63s", a, b) == 2) {
    struct place p, q;
    if (!find(a, &p) || !find(b, &q)) {
      unknown++;
      continue;
    }
    printf("%s %s %.2f %.2f\n", p.name, q.name, distance(&p, &q), flight(&p, &q));
  }
  printf("unknown pairs: %ld\n", unknown);
  munmap((void*)map, (size_t)st.st_size);
  return 0;
}
