/* worldsave: grow a small block world, populate it and write the save file */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 118
struct entity {
  uint32_t id;
  uint16_t kind;
  int16_t hp;
  float x, y, z;
  char name[12];
};

static uint32_t seed = 20240611;
static uint32_t rnd(void) {
  seed = seed * 1664525u + 1013904223u;
  return seed >> 8;
}

static float lattice(int x, int y) {
  uint32_t h = (uint32_t)x * 374761393u + (uint32_t)y * 668265263u;
  h = (h ^ (h >> 13)) * 1274126177u;
  return (float)((h ^ (h >> 16)) & 0xffff) / 65535.0f;
}
static float noise(float x, float y) {
  int xi = (int)floorf(x), yi = (int)floorf(y);
  float fx = x - xi, fy = y - yi;
  fx = fx * fx * (3 - 2 * fx);
  fy = fy * fy * (3 - 2 * fy);
  float a = lattice(xi, yi), b = lattice(xi + 1, yi);
  float c = lattice(xi, yi + 1), d = lattice(xi + 1, yi + 1);
  return (a + (b - a) * fx) * (1 - fy) + (c + (d - c) * fx) * fy;
}

static void put(FILE* fd, const void* p, size_t n) {
  if (fwrite(p, 1, n, fd) != n) {
    perror("write");
    exit(1);
  }
}

static void save_entity(FILE* fd, const struct entity* e) {
  put(fd, &e->id, sizeof e->id);
  put(fd, &e->kind, sizeof e->kind);
  put(fd, &e->hp, sizeof e->hp);
  put(fd, &e->x, sizeof e->x);
  put(fd, &e->y, sizeof e->y);
  put(fd, &e->z, sizeof e->z);
  uint8_t len = (uint8_t)strlen(e->name);
  put(fd, &len, 1);
  put(fd, e->name, len);
}

int main(void) {
  FILE* fd = fopen("world.sav", "wb");
  if (!fd) {
    perror("world.sav");
    return 1;
  }
  static const char* names[] = {"sheep", "cow", "zombie", "villager", "chest"};
  uint32_t chunks = SIDE * SIDE, nent = 0;
  double total = 0;
  put(fd, "BWLD", 4);
  put(fd, &chunks, 4);
  for (int cy = 0; cy < SIDE; cy++)
    for (int cx = 0; cx < SIDE; cx++) {
      uint8_t h[256];
      int top = 0;
      for (int i = 0; i < 256; i++) {
        float x = cx * 16 + (i & 15), y = cy * 16 + (i >> 4), v = 0, amp = 1, f = 1 / 64.0f;
        for (int o = 0; o < 5; o++) {
          v += amp * noise(x * f, y * f);
          amp *= 0.5f;
          f *= 2;
        }
        h[i] = (uint8_t)(v * 60 + 10);
        if (h[i] > top) top = h[i];
        total += h[i];
      }
      int16_t pos[2] = {(int16_t)cx, (int16_t)cy};
      put(fd, pos, sizeof pos);
      put(fd, h, sizeof h);
      uint16_t n = (uint16_t)(top > 80 ? 2 + rnd() % 4 : 3 + rnd() % 6);
      put(fd, &n, sizeof n);
      for (int k = 0; k < n; k++) {
        struct entity e = {
            .id = ++nent, .kind = (uint16_t)(rnd() % 5), .hp = (int16_t)(5 + rnd() % 20)};
        int c = (int)(rnd() & 255);
        e.x = cx * 16 + (c & 15) + 0.5f;
        e.z = cy * 16 + (c >> 4) + 0.5f;
        e.y = h[c] + 1;
        strcpy(e.name, names[e.kind]);
        save_entity(fd, &e);
      }
    }
  if (fclose(fd)) {
    perror("world.sav");
    return 1;
  }
  printf("saved %u chunks, %u entities, mean height %.3f\n", chunks, nent,
         total / (chunks * 256.0));
  return 0;
}
