// Lists the checksums of the pieces of a large file, for a program that shares files. Two threads
// read it, 128 KiB at a time.
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
enum { kThreads = 2, kPieces = 450, kPieceBytes = 1 << 20, kBlockBytes = 128 << 10 };
static int file;
static atomic_int next;
static uint64_t sums[kPieces];

static uint64_t add(uint64_t sum, const uint64_t* words, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    sum = (sum ^ words[i]) * 0x9e3779b97f4a7c15u;
    sum = (sum ^ sum >> 32) * 0xd6e8feb86659fd93u;
  }
  return sum;
}

static void* work(void* unused) {
  uint64_t block[kBlockBytes / sizeof(uint64_t)];
  for (int piece; (piece = atomic_fetch_add(&next, 1)) < kPieces;) {
    off_t at = (off_t)piece * kPieceBytes, end = at + kPieceBytes;
    for (; at < end; at += kBlockBytes) {
      if (pread(file, block, sizeof block, at) != sizeof block) break;
      sums[piece] = add(sums[piece], block, sizeof block / sizeof *block);
    }
  }
  return unused;
}

int main(void) {
  pthread_t threads[kThreads];
  file = open("large", O_RDONLY);
  if (file < 0) return 1;
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < kPieces; ++i) printf("%016llx %d\n", (unsigned long long)sums[i], i);
  return close(file);
}
