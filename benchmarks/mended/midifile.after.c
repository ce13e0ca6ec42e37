/* midifile - turns the text score "score" (lines: track tick pitch velocity length) into
 * a format 1 MIDI file, song.mid, and prints the number of events and notes of each track. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRACKS 16

struct event {
  long tick;
  int order;
  unsigned char status, pitch, velocity;
};

static struct event* events[TRACKS];
static int count[TRACKS], room[TRACKS], notes[TRACKS];

static void add(int track, long tick, int status, int pitch, int velocity) {
  struct event* e;

  if (count[track] == room[track]) {
    room[track] = room[track] ? room[track] * 2 : 1024;
    events[track] = realloc(events[track], room[track] * sizeof *e);
    if (events[track] == NULL) exit(1);
  }
  e = &events[track][count[track]];
  e->tick = tick;
  e->order = count[track]++;
  e->status = status | track;
  e->pitch = pitch;
  e->velocity = velocity;
}

static int bytick(const void* va, const void* vb) {
  const struct event *a = va, *b = vb;

  if (a->tick != b->tick) return a->tick < b->tick ? -1 : 1;
  return a->order - b->order;
}

/* the variable-length form of n; returns how many bytes it takes */
static int varlen(unsigned char* to, unsigned long n) {
  int len = 1, i;
  unsigned long m;

  for (m = n >> 7; m; m >>= 7) len++;
  for (i = len - 1; i >= 0; i--, n >>= 7) to[i] = (n & 0x7f) | (i < len - 1 ? 0x80 : 0);
  return len;
}

static void big(unsigned char* to, unsigned long n, int len) {
  while (len--) {
    to[len] = n & 0xff;
    n >>= 8;
  }
}

static void put(int fd, const void* data, size_t len) {
  if (write(fd, data, len) != (ssize_t)len) {
    perror("song.mid");
    exit(1);
  }
}

static void puttrack(int fd, int track) {
  struct event* e;
  unsigned char head[8], delta[8], body[3];
  unsigned long size = 4;
  long last = 0;
  int i;
  static unsigned char out[65536];
  size_t fill = 0;

  for (i = 0; i < count[track]; i++) {
    size += varlen(delta, events[track][i].tick - last) + 3;
    last = events[track][i].tick;
  }
  memcpy(head, "MTrk", 4);
  big(head + 4, size, 4);
  put(fd, head, 8);
  for (last = 0, i = 0; i < count[track]; i++) {
    int n;
    e = &events[track][i];
    n = varlen(delta, e->tick - last);
    last = e->tick;
    body[0] = e->status;
    body[1] = e->pitch;
    body[2] = e->velocity;
    if (fill + n + 3 > sizeof out) {
      put(fd, out, fill);
      fill = 0;
    }
    memcpy(out + fill, delta, n);
    memcpy(out + fill + n, body, 3);
    fill += n + 3;
  }
  put(fd, out, fill);
  put(fd, "\0\377\057\0", 4);
}

int main(void) {
  unsigned char head[14];
  char line[200];
  int track, pitch, velocity, fd, used = 0;
  long tick, length;
  FILE* in = fopen("score", "r");

  if (in == NULL || (fd = open("song.mid", O_WRONLY | O_CREAT | O_TRUNC, 0644)) < 0) {
    perror("midifile");
    return 1;
  }
  while (fgets(line, sizeof line, in))
    if (sscanf(line, "%d %ld %d %d %ld", &track, &tick, &pitch, &velocity, &length) == 5 &&
        track >= 0 && track < TRACKS) {
      add(track, tick, 0x90, pitch & 0x7f, velocity & 0x7f);
      add(track, tick + length, 0x80, pitch & 0x7f, 64);
      notes[track]++;
    }
  for (track = 0; track < TRACKS; track++) used += count[track] > 0;
  memcpy(head, "MThd\0\0\0\6\0\1", 10);
  big(head + 10, used, 2);
  big(head + 12, 480, 2);
  put(fd, head, 14);
  for (track = 0; track < TRACKS; track++)
    if (count[track]) {
      qsort(events[track], count[track], sizeof(struct event), bytick);
      puttrack(fd, track);
      printf("track %2d: %6d notes, %6d events\n", track, notes[track], count[track]);
    }
  return close(fd) < 0;
}
