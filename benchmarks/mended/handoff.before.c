/* one thread reads the log, another one analyses the lines */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 256
#define QUEUE 1
#define HOSTS 65536

static char queue[QUEUE][LINE];
static int head, count, done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;

static void* reader(void* name) {
  char line[LINE];
  FILE* f = fopen(name, "r");
  if (!f) {
    perror(name);
    exit(1);
  }
  while (fgets(line, sizeof line, f)) {
    pthread_mutex_lock(&mutex);
    while (count == QUEUE) pthread_cond_wait(&not_full, &mutex);
    strcpy(queue[(head + count) % QUEUE], line);
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  fclose(f);
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static int next_line(char* line) {
  pthread_mutex_lock(&mutex);
  while (count == 0 && !done) pthread_cond_wait(&not_empty, &mutex);
  if (count == 0) {
    pthread_mutex_unlock(&mutex);
    return 0;
  }
  strcpy(line, queue[head]);
  head = (head + 1) % QUEUE;
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return 1;
}

struct host {
  char name[32];
  long hits, bytes, errors;
};

static struct host hosts[HOSTS];

static struct host* find(const char* name) {
  unsigned h = 5381;
  const char* p;
  for (p = name; *p; p++) h = h * 33 + (unsigned char)*p;
  for (h %= HOSTS; hosts[h].name[0]; h = (h + 1) % HOSTS)
    if (!strcmp(hosts[h].name, name)) return &hosts[h];
  strcpy(hosts[h].name, name);
  return &hosts[h];
}

static int by_bytes(const void* a, const void* b) {
  const struct host *x = a, *y = b;
  if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
  return strcmp(x->name, y->name);
}

int main(void) {
  pthread_t t;
  char line[LINE], host[32], path[128];
  long when, first = 0, bytes, lines = 0, longest = 0, last = 0;
  int status, i;

  pthread_create(&t, NULL, reader, "access.txt");
  while (next_line(line)) {
    if (sscanf(line, "%ld %31s GET %127s %d %ld", &when, host, path, &status, &bytes) != 5)
      continue;
    struct host* h = find(host);
    h->hits++;
    h->bytes += bytes;
    if (status >= 400) h->errors++;
    if (!first) first = when;
    if (last && when - last > longest) longest = when - last;
    last = when;
    lines++;
  }
  pthread_join(t, NULL);
  qsort(hosts, HOSTS, sizeof hosts[0], by_bytes);
  printf("%ld requests in %ld s, longest pause %ld\n", lines, last - first, longest);
  FILE* out = fopen("hosts.txt", "w");
  for (i = 0; i < HOSTS && hosts[i].hits; i++)
    fprintf(out, "%-16s %6ld %10ld %6ld\n", hosts[i].name, hosts[i].hits, hosts[i].bytes,
            hosts[i].errors);
  fclose(out);
  return 0;
}
