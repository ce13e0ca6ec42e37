/* Renders a stained-glass mosaic (a Voronoi diagram with lead lines) and exports it as PPM and as
 * TGA, with a mirrored copy for the second window. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WIDTH 720
#define HEIGHT 560
#define CELLS 12

typedef struct {
  unsigned char r, g, b;
} Colour;
typedef struct {
  float x, y;
  Colour colour;
} Site;

typedef struct Image {
  int width, height;
  Colour* pixels;
} Image;

/* ---- output ------------------------------------------------------------------------------- */

typedef struct Sink {
  FILE* file;
  unsigned long written;
} Sink;

static int sink_open(Sink* sink, const char* path) {
  sink->file = fopen(path, "wb");
  sink->written = 0;
  if (!sink->file) {
    perror(path);
    return -1;
  }
  return 0;
}

static void sink_put(Sink* sink, const void* data, size_t size) {
  if (fwrite(data, 1, size, sink->file) != size) {
    perror("write");
    exit(1);
  }
  sink->written += (unsigned long)size;
}

static void sink_close(Sink* sink) {
  if (fclose(sink->file) != 0) perror("close");
}

/* ---- rendering ---------------------------------------------------------------------------- */

static unsigned rng_state = 20240611u;

static unsigned rng(void) {
  rng_state = rng_state * 1664525u + 1013904223u;
  return rng_state >> 8;
}

static float unit(void) { return (float)(rng() & 0xffff) / 65536.0f; }

static void scatter(Site sites[CELLS][CELLS]) {
  for (int j = 0; j < CELLS; j++)
    for (int i = 0; i < CELLS; i++) {
      Site* s = &sites[j][i];
      s->x = ((float)i + unit()) * WIDTH / CELLS;
      s->y = ((float)j + unit()) * HEIGHT / CELLS;
      s->colour.r = (unsigned char)(80 + rng() % 170);
      s->colour.g = (unsigned char)(40 + rng() % 180);
      s->colour.b = (unsigned char)(60 + rng() % 190);
    }
}

static Colour shade(Site sites[CELLS][CELLS], int x, int y) {
  int ci = x * CELLS / WIDTH, cj = y * CELLS / HEIGHT;
  float best = 1e9f, second = 1e9f;
  const Site* nearest = NULL;
  for (int j = cj - 2; j <= cj + 2; j++) {
    if (j < 0 || j >= CELLS) continue;
    for (int i = ci - 2; i <= ci + 2; i++) {
      if (i < 0 || i >= CELLS) continue;
      float dx = sites[j][i].x - (float)x, dy = sites[j][i].y - (float)y;
      float d = sqrtf(dx * dx + dy * dy);
      if (d < best) {
        second = best;
        best = d;
        nearest = &sites[j][i];
      } else if (d < second)
        second = d;
    }
  }
  Colour c = nearest->colour;
  float edge = second - best;
  if (edge < 3.0f) {
    c.r = c.g = c.b = 25;
  } else if (edge < 9.0f) {
    float k = 0.7f + 0.05f * (edge - 3.0f);
    c.r = (unsigned char)(c.r * k);
    c.g = (unsigned char)(c.g * k);
    c.b = (unsigned char)(c.b * k);
  }
  return c;
}

static void render(Image* image) {
  static Site sites[CELLS][CELLS];
  scatter(sites);
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++) image->pixels[y * image->width + x] = shade(sites, x, y);
}

static void mirror(const Image* from, Image* to) {
  for (int y = 0; y < from->height; y++)
    for (int x = 0; x < from->width; x++)
      to->pixels[y * to->width + x] = from->pixels[y * from->width + from->width - 1 - x];
}

/* ---- exporters ---------------------------------------------------------------------------- */

static unsigned long export_ppm(const char* path, const Image* image) {
  Sink sink;
  char header[64];
  if (sink_open(&sink, path) < 0) exit(1);
  int n = snprintf(header, sizeof header, "P6\n%d %d\n255\n", image->width, image->height);
  sink_put(&sink, header, (size_t)n);
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++) {
      const Colour* c = &image->pixels[y * image->width + x];
      unsigned char rgb[3] = {c->r, c->g, c->b};
      sink_put(&sink, rgb, sizeof rgb);
    }
  sink_close(&sink);
  return sink.written;
}

static void put_le16(Sink* sink, int value) {
  unsigned char bytes[2] = {(unsigned char)(value & 255), (unsigned char)(value >> 8)};
  sink_put(sink, bytes, 2);
}

static unsigned long export_tga(const char* path, const Image* image) {
  Sink sink;
  static const unsigned char start[12] = {0, 0, 2};
  static const unsigned char depth[2] = {24, 0};
  if (sink_open(&sink, path) < 0) exit(1);
  sink_put(&sink, start, sizeof start);
  put_le16(&sink, image->width);
  put_le16(&sink, image->height);
  sink_put(&sink, depth, sizeof depth);
  for (int y = image->height - 1; y >= 0; y--)
    for (int x = 0; x < image->width; x++) {
      const Colour* c = &image->pixels[y * image->width + x];
      unsigned char bgr[3] = {c->b, c->g, c->r};
      sink_put(&sink, bgr, sizeof bgr);
    }
  sink_close(&sink);
  return sink.written;
}

static Image new_image(int width, int height) {
  Image image = {width, height, malloc(sizeof(Colour) * (size_t)width * (size_t)height)};
  if (!image.pixels) {
    fputs("out of memory\n", stderr);
    exit(1);
  }
  return image;
}

int main(void) {
  Image left = new_image(WIDTH, HEIGHT), right = new_image(WIDTH, HEIGHT);
  render(&left);
  mirror(&left, &right);
  printf("left.ppm: %lu bytes\n", export_ppm("left.ppm", &left));
  printf("left.tga: %lu bytes\n", export_tga("left.tga", &left));
  printf("right.ppm: %lu bytes\n", export_ppm("right.ppm", &right));
  free(left.pixels);
  free(right.pixels);
  return 0;
}
