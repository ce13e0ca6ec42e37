/* Makes a landscape by midpoint displacement and exports it as a Wavefront mesh with normals, and
 * its material. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 8
#define SIZE ((1 << LEVEL) + 1)

typedef struct {
  float x, y, z;
} Vector;

typedef struct Terrain {
  float height[SIZE][SIZE];
} Terrain;

typedef struct Exporter {
  FILE *mesh, *material;
  long vertices, normals, faces;
} Exporter;

static unsigned seed = 77;

static float noise(float scale) {
  seed = seed * 1664525u + 1013904223u;
  return ((float)(seed >> 8) / (float)(1 << 24) - 0.5f) * scale;
}

static void displace(Terrain* t) {
  float scale = 60;
  for (int step = SIZE - 1; step > 1; step /= 2, scale *= 0.55f) {
    int half = step / 2;
    for (int y = half; y < SIZE; y += step)
      for (int x = half; x < SIZE; x += step)
        t->height[y][x] = (t->height[y - half][x - half] + t->height[y - half][x + half] +
                           t->height[y + half][x - half] + t->height[y + half][x + half]) /
                              4 +
                          noise(scale);
    for (int y = 0; y < SIZE; y += half)
      for (int x = (y / half) % 2 ? 0 : half; x < SIZE; x += step) {
        float sum = 0;
        int n = 0;
        if (y >= half) sum += t->height[y - half][x], n++;
        if (y + half < SIZE) sum += t->height[y + half][x], n++;
        if (x >= half) sum += t->height[y][x - half], n++;
        if (x + half < SIZE) sum += t->height[y][x + half], n++;
        t->height[y][x] = sum / (float)n + noise(scale);
      }
  }
}

/* Rain washes the slopes. */
static void erode(Terrain* t, int rounds) {
  for (int r = 0; r < rounds; r++)
    for (int y = 1; y < SIZE - 1; y++)
      for (int x = 1; x < SIZE - 1; x++) {
        float h = t->height[y][x], lowest = h;
        int ly = y, lx = x;
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++)
            if (t->height[y + dy][x + dx] < lowest) {
              lowest = t->height[y + dy][x + dx];
              ly = y + dy;
              lx = x + dx;
            }
        if (h - lowest > 0.4f) {
          t->height[y][x] -= (h - lowest) * 0.15f;
          t->height[ly][lx] += (h - lowest) * 0.15f;
        }
      }
}

static FILE* create(const char* path) {
  FILE* f = fopen(path, "w");
  if (!f) {
    perror(path);
    exit(1);
  }
  setbuf(f, NULL); /* so that nothing is lost if we crash */
  return f;
}

static void exporter_open(Exporter* e, const char* mesh, const char* material) {
  memset(e, 0, sizeof *e);
  e->mesh = create(mesh);
  e->material = create(material);
  fprintf(e->mesh, "# %d x %d\nmtllib %s\no terrain\n", SIZE, SIZE, material);
}

static void exporter_close(Exporter* e) {
  if (fclose(e->mesh) || fclose(e->material)) perror("close");
}

static void put_vertex(Exporter* e, Vector v) {
  fprintf(e->mesh, "v %.3f %.3f %.3f\n", v.x, v.y, v.z);
  e->vertices++;
}

static void put_normal(Exporter* e, Vector v) {
  fprintf(e->mesh, "vn %.4f %.4f %.4f\n", v.x, v.y, v.z);
  e->normals++;
}

static void put_face(Exporter* e, long a, long b, long c) {
  fprintf(e->mesh, "f %ld//%ld", a, a);
  fprintf(e->mesh, " %ld//%ld", b, b);
  fprintf(e->mesh, " %ld//%ld\n", c, c);
  e->faces++;
}

static void put_material(Exporter* e, const char* name, float r, float g, float b) {
  fprintf(e->material, "newmtl %s\nKd %.2f %.2f %.2f\n", name, r, g, b);
  fprintf(e->mesh, "usemtl %s\n", name);
}

static Vector normal_at(const Terrain* t, int x, int y) {
  int l = x > 0 ? x - 1 : x, r = x < SIZE - 1 ? x + 1 : x;
  int u = y > 0 ? y - 1 : y, d = y < SIZE - 1 ? y + 1 : y;
  Vector n = {t->height[y][l] - t->height[y][r], 2, t->height[u][x] - t->height[d][x]};
  float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
  n.x /= length;
  n.y /= length;
  n.z /= length;
  return n;
}

static void export_terrain(Exporter* e, const Terrain* t) {
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) {
      Vector v = {(float)x, t->height[y][x], (float)y};
      put_vertex(e, v);
    }
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) put_normal(e, normal_at(t, x, y));
  put_material(e, "grass", 0.25f, 0.55f, 0.2f);
  for (int y = 0; y + 1 < SIZE; y++)
    for (int x = 0; x + 1 < SIZE; x++) {
      long a = 1 + (long)y * SIZE + x;
      put_face(e, a, a + SIZE, a + 1);
      put_face(e, a + 1, a + SIZE, a + SIZE + 1);
    }
}

int main(void) {
  static Terrain terrain;
  Exporter e;
  float low = 1e9f, high = -1e9f;
  displace(&terrain);
  erode(&terrain, 60);
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) {
      low = fminf(low, terrain.height[y][x]);
      high = fmaxf(high, terrain.height[y][x]);
    }
  exporter_open(&e, "terrain.obj", "terrain.mtl");
  export_terrain(&e, &terrain);
  exporter_close(&e);
  printf("%ld vertices, %ld normals, %ld faces, from %.2f to %.2f\n", e.vertices, e.normals,
         e.faces, low, high);
  return 0;
}
