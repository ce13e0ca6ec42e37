/* trims reads by quality, drops the short ones, writes the reverse
 * complements, and prints a k-mer summary */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAXREAD 1024
#define K 8
#define WINDOW 10
#define MINQ 15
#define MINLEN 40

static unsigned kmers[1 << (2 * K)];
static long reads, kept, bases;

/* a thread that tells every ten seconds how far we are */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static int done;

static void* status(void* unused) {
  struct timespec t;
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (!done) {
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += 10;
    if (pthread_cond_timedwait(&finished, &mutex, &t) == ETIMEDOUT)
      fprintf(stderr, "%ld reads ...\n", reads);
  }
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static char complement(char c) {
  switch (c) {
    case 'A': return 'T';
    case 'C': return 'G';
    case 'G': return 'C';
    case 'T': return 'A';
  }
  return 'N';
}

static int code(char c) {
  switch (c) {
    case 'A': return 0;
    case 'C': return 1;
    case 'G': return 2;
    case 'T': return 3;
  }
  return -1;
}

static int trim(const char* qual, int n) {
  int i, j;
  for (i = 0; i + WINDOW <= n; i++) {
    int sum = 0;
    for (j = 0; j < WINDOW; j++) sum += qual[i + j] - 33;
    if (sum < MINQ * WINDOW) return i;
  }
  return n;
}

static void count_kmers(const char* seq, int n) {
  unsigned h = 0;
  int i, have = 0;
  for (i = 0; i < n; i++) {
    int c = code(seq[i]);
    if (c < 0) {
      have = 0;
      continue;
    }
    h = ((h << 2) | c) & ((1 << (2 * K)) - 1);
    if (++have >= K) kmers[h]++;
  }
}

static void write_read(FILE* out, const char* name, const char* seq, const char* qual, int n) {
  int i;
  fprintf(out, "%s/rc\n", name);
  for (i = n - 1; i >= 0; i--) putc_unlocked(complement(seq[i]), out);
  fputs("\n+\n", out);
  for (i = n - 1; i >= 0; i--) putc_unlocked(qual[i], out);
  putc_unlocked('\n', out);
}

static int getl(char* s, FILE* f) {
  int c, n = 0;
  while ((c = getc_unlocked(f)) != EOF && c != '\n')
    if (c != '\r' && n < MAXREAD - 1) s[n++] = c;
  s[n] = 0;
  return n > 0;
}

int main(void) {
  char name[MAXREAD], seq[MAXREAD], plus[MAXREAD], qual[MAXREAD];
  pthread_t t;
  FILE* in = fopen("reads.fastq", "r");
  FILE* out = fopen("trimmed.fastq", "w");
  if (!in || !out) {
    perror("fastq");
    return 1;
  }
  pthread_create(&t, NULL, status, NULL);
  while (getl(name, in) && getl(seq, in) && getl(plus, in) && getl(qual, in)) {
    int n = trim(qual, strlen(seq));
    reads++;
    if (n < MINLEN) continue;
    kept++;
    bases += n;
    count_kmers(seq, n);
    write_read(out, name, seq, qual, n);
  }
  fclose(in);
  fclose(out);
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_cond_signal(&finished);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);

  unsigned best = 0, i;
  long distinct = 0;
  for (i = 0; i < sizeof kmers / sizeof kmers[0]; i++) {
    if (kmers[i]) distinct++;
    if (kmers[i] > kmers[best]) best = i;
  }
  printf("%ld reads, %ld kept, %ld bases\n", reads, kept, bases);
  printf("%ld different %d-mers, most frequent %x (%u times)\n", distinct, K, best, kmers[best]);
  return 0;
}
