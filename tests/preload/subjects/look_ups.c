// usage: look_ups HOW FILE TIMES
//
// Reads 16 bytes at places all over FILE, TIMES times, by "lseek" and read or by "pread", and by
// "in-order" at one place after the other. "standing" reads the same where the file stands, and
// "records" writes 2,000 bytes at one place after the other of a new file. "getc" reads TIMES bytes
// in order, and "getline" all lines. One of two threads does this.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static long sum;

static void by_descriptor(const char* path, long times, int seek, long step) {
  const int descriptor = open(path, O_RDONLY);
  const long end = lseek(descriptor, 0, SEEK_END) - 64;
  char piece[16];
  for (long i = 0; i < times; ++i) {
    const long position = i * step % end;
    if (seek) lseek(descriptor, position, SEEK_SET);
    const ssize_t got = seek ? read(descriptor, piece, sizeof piece)
                             : pread(descriptor, piece, sizeof piece, position);
    if (got > 0) sum += piece[0];
  }
  close(descriptor);
}

static void where_it_stands(const char* path, long times) {
  const int descriptor = open(path, O_RDONLY);
  char piece[16];
  struct iovec room = {piece, sizeof piece};
  for (long i = 0; i < times; ++i) sum += preadv2(descriptor, &room, 1, -1, 0);
  close(descriptor);
}

static void write_records(const char* path, long times) {
  static char record[2000];
  const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  for (long i = 0; i < times; ++i) {
    lseek(descriptor, i * (long)sizeof record, SEEK_SET);
    sum += write(descriptor, record, sizeof record);
  }
  close(descriptor);
}

static void by_stream(const char* path, long times, int lines) {
  FILE* const stream = fopen(path, "r");
  char* line = NULL;
  size_t line_bytes = 0;
  for (long i = 0; !lines && i < times; ++i) sum += getc(stream);
  while (lines && getline(&line, &line_bytes, stream) > 0) sum += line[0];
  free(line);
  fclose(stream);
}

static void* wait_for(void* pipe_end) {
  char byte;
  if (read(*(int*)pipe_end, &byte, 1) < 0) exit(1);
  return NULL;
}

int main(int count, char** words) {
  if (count != 4) return 2;
  const long times = strtol(words[3], NULL, 10);
  int ends[2];
  pthread_t other;
  if (pipe(ends) != 0) return 1;
  pthread_create(&other, NULL, wait_for, ends);
  const int in_order = strcmp(words[1], "in-order") == 0;
  if (in_order || strcmp(words[1], "lseek") == 0 || strcmp(words[1], "pread") == 0) {
    by_descriptor(words[2], times, words[1][0] == 'l', in_order ? 16 : 4099);
  } else if (strcmp(words[1], "standing") == 0) {
    where_it_stands(words[2], times);
  } else if (strcmp(words[1], "records") == 0) {
    write_records(words[2], times);
  } else {
    by_stream(words[2], times, strcmp(words[1], "getline") == 0);
  }
  close(ends[1]);
  pthread_join(other, NULL);
  printf("%ld\n", sum);
  return 0;
}
