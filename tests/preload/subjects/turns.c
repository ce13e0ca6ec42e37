// usage: turns HOW FILE TIMES
//
// Computes blocks of 8 MiB and writes each to the same place, so that the disk has little to do.
// HOW: "turns" computes and writes in turn. "thread" lets a thread write one block while the next
// block is computed. "after" computes all blocks first.
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { block_bytes = 8 << 20 };

static int descriptor;

static void compute(unsigned* block, unsigned seed) {
  for (size_t i = 0; i < block_bytes / sizeof *block; ++i) {
    for (int round = 0; round < 6; ++round) seed = seed * 1664525 + 1013904223;
    block[i] = seed;
  }
}

static void* write_block(void* block) {
  if (pwrite(descriptor, block, block_bytes, 0) != block_bytes) exit(1);
  return NULL;
}

static void by_a_thread(char* blocks, long times) {
  pthread_t writer;
  for (long i = 0; i < times; ++i) {
    char* const block = blocks + (i % 2) * block_bytes;
    compute((unsigned*)block, (unsigned)i);
    if (i > 0) pthread_join(writer, NULL);
    pthread_create(&writer, NULL, write_block, block);
  }
  pthread_join(writer, NULL);
}

int main(int count, char** words) {
  if (count != 4) return 2;
  const long times = strtol(words[3], NULL, 10);
  char* const blocks = malloc((size_t)times * block_bytes);
  descriptor = open(words[2], O_WRONLY | O_CREAT, 0600);
  const int after = strcmp(words[1], "after") == 0;
  if (strcmp(words[1], "thread") == 0) {
    by_a_thread(blocks, times);
    return close(descriptor) != 0;
  }
  for (long i = 0; i < times; ++i) {
    char* const block = blocks + (after ? i : 0) * block_bytes;
    compute((unsigned*)block, (unsigned)i);
    if (!after) write_block(block);
  }
  for (long i = 0; after && i < times; ++i) write_block(blocks + i * block_bytes);
  return close(descriptor) != 0;
}
