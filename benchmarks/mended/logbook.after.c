/* Takes position reports of ships from standard input and keeps a log book, which it turns over
 * to a new volume whenever the current one has grown to its limit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT (1 << 20)

struct ship {
  long mmsi, reports;
  double fastest, lat, lon;
};

struct book {
  FILE* file;
  int volume;
  long size;
};

static struct ship ships[256];
static int ship_count;

static struct ship* get_ship(long mmsi) {
  for (int i = 0; i < ship_count; i++)
    if (ships[i].mmsi == mmsi) return &ships[i];
  if (ship_count == 256) exit(2);
  ships[ship_count].mmsi = mmsi;
  return &ships[ship_count++];
}

static void book_open(struct book* b) {
  char path[64];
  snprintf(path, sizeof path, "logbook.%03d", ++b->volume);
  b->file = fopen(path, "w");
  b->size = 0;
  if (!b->file) {
    perror(path);
    exit(1);
  }
}

static void book_write(struct book* b, const char* text) {
  if (b->size >= LIMIT) {
    fclose(b->file);
    book_open(b);
  }
  fputs(text, b->file);
  b->size += strlen(text);
}

static const char* compass(int course) {
  static const char* names[] = {"N", "NE", "E", "SE", "S", "SW", "W", "NW"};
  return names[(course + 22) / 45 % 8];
}

static int parse(char* line, long* when, long* mmsi, double* lat, double* lon, int* speed,
                 int* course) {
  char* p = line;
  *when = strtol(p, &p, 10);
  *mmsi = strtol(p, &p, 10);
  *lat = strtod(p, &p);
  *lon = strtod(p, &p);
  *speed = strtol(p, &p, 10);
  *course = strtol(p, &p, 10);
  return *when > 0 && *mmsi > 0 && *lat <= 90 && *lon <= 180;
}

int main(void) {
  struct book book = {0};
  char line[256], text[256];
  long when, mmsi;
  double lat, lon;
  int speed, course;

  book_open(&book);
  while (fgets(line, sizeof line, stdin)) {
    if (!parse(line, &when, &mmsi, &lat, &lon, &speed, &course)) continue;
    struct ship* s = get_ship(mmsi);
    s->reports++;
    if (speed > s->fastest) s->fastest = speed;
    s->lat = lat;
    s->lon = lon;
    long t = when % 86400;
    snprintf(text, sizeof text, "%02ld:%02ld:%02ld %ld %s %d kn\n", t / 3600, t / 60 % 60, t % 60,
             mmsi, compass(course), speed);
    book_write(&book, text);
  }
  fclose(book.file);
  printf("%d volumes\n", book.volume);
  for (int i = 0; i < ship_count; i++)
    printf("%ld %ld reports, fastest %.0f kn, last at %.4f %.4f\n", ships[i].mmsi, ships[i].reports,
           ships[i].fastest, ships[i].lat, ships[i].lon);
  return 0;
}
