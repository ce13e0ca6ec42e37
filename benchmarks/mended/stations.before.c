/* Monthly summary of weather stations. weather.rec has one record of fixed length (48 bytes) for
 * each observation: station, sequence number, temperature (tenths), rain (tenths), remark. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD 48
#define MAX_STATIONS 64

struct archive {
  FILE* file;
  long count;
};

struct observation {
  char station[5];
  long sequence;
  int temperature;
  int rain;
  char remark[28];
};

struct summary {
  char name[5];
  long observations;
  long temperature_sum, rain_sum;
  int coldest, warmest;
  long heavy;
  unsigned digest;
};

static struct summary stations[MAX_STATIONS];
static int station_count;

static struct archive* archive_open(const char* path) {
  struct archive* a = malloc(sizeof *a);
  a->file = fopen(path, "rb");
  if (!a->file) {
    perror(path);
    exit(1);
  }
  fseek(a->file, 0, SEEK_END);
  a->count = ftell(a->file) / RECORD;
  rewind(a->file);
  return a;
}

/* Gets record number `index` of the archive. */
static int archive_get(struct archive* a, long index, struct observation* o) {
  char raw[RECORD + 1];
  if (index < 0 || index >= a->count) return 0;
  if (fseek(a->file, index * RECORD, SEEK_SET) != 0) return 0;
  if (fread(raw, 1, RECORD, a->file) != RECORD) return 0;
  raw[RECORD] = 0;
  memcpy(o->station, raw, 4);
  o->station[4] = 0;
  o->sequence = strtol(raw + 5, NULL, 10);
  o->temperature = (int)strtol(raw + 12, NULL, 10);
  o->rain = (int)strtol(raw + 18, NULL, 10);
  memcpy(o->remark, raw + 23, 24);
  o->remark[24] = 0;
  for (int n = 23; n >= 0 && isspace((unsigned char)o->remark[n]); n--) o->remark[n] = 0;
  return 1;
}

static void archive_close(struct archive* a) {
  fclose(a->file);
  free(a);
}

static struct summary* station_named(const char* name) {
  for (int i = 0; i < station_count; i++)
    if (strcmp(stations[i].name, name) == 0) return &stations[i];
  if (station_count == MAX_STATIONS) {
    fputs("too many stations\n", stderr);
    exit(1);
  }
  struct summary* s = &stations[station_count++];
  strcpy(s->name, name);
  s->coldest = 10000;
  s->warmest = -10000;
  return s;
}

static void add(const struct observation* o) {
  struct summary* s = station_named(o->station);
  s->observations++;
  s->temperature_sum += o->temperature;
  s->rain_sum += o->rain;
  if (o->temperature < s->coldest) s->coldest = o->temperature;
  if (o->temperature > s->warmest) s->warmest = o->temperature;
  if (strcmp(o->remark, "heavy rain") == 0) s->heavy++;
  s->digest = s->digest * 31u + (unsigned)o->sequence;
}

static int by_name(const void* a, const void* b) {
  return strcmp(((const struct summary*)a)->name, ((const struct summary*)b)->name);
}

/* The longest time without any rain, as a pair of record numbers. */
static void longest_drought(struct archive* a, long* from, long* to) {
  struct observation o;
  long start = 0;
  *from = *to = 0;
  for (long i = 0; i < a->count; i++) {
    if (!archive_get(a, i, &o)) break;
    if (o.rain > 20) {
      if (i - start > *to - *from) {
        *from = start;
        *to = i;
      }
      start = i + 1;
    }
  }
}

int main(void) {
  struct archive* a = archive_open("weather.rec");
  struct observation o;
  long from, to;
  for (long i = 0; i < a->count; i++) {
    if (!archive_get(a, i, &o)) {
      fprintf(stderr, "record %ld is damaged\n", i);
      return 1;
    }
    add(&o);
  }
  qsort(stations, (size_t)station_count, sizeof stations[0], by_name);
  for (int i = 0; i < station_count; i++) {
    struct summary* s = &stations[i];
    printf("%s %6ld obs  mean %6.2f  min %6.1f  max %6.1f  rain %8.1f mm  heavy %ld  %08x\n",
           s->name, s->observations, (double)s->temperature_sum / 10 / (double)s->observations,
           s->coldest / 10.0, s->warmest / 10.0, (double)s->rain_sum / 10, s->heavy, s->digest);
  }
  longest_drought(a, &from, &to);
  printf("longest drought: %ld..%ld\n", from, to);
  archive_close(a);
  return 0;
}
