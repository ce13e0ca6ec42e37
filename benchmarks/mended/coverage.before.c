/* coverage - reads the line counts that test runs left in "counts" (each line: run, file, and
 * pairs line:hits), where one source file goes by several names (through links and .. parts),
 * adds them up for each real file, and prints a table; uncovered.txt gets the lines never
 * reached. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXLINES 2000
#define HASH 1024

struct source {
  char* path;
  int lines; /* lines of code in the file, as its text has it */
  long hits[MAXLINES + 1];
  char code[MAXLINES + 1];
  struct source* next;
};

static struct source *table[HASH], **list;
static int nsources;
static char root[PATH_MAX];

static unsigned hash(const char* s) {
  unsigned h = 5381;

  while (*s) h = h * 33 + (unsigned char)*s++;
  return h % HASH;
}

/* marks the lines that hold code: not blank, no comment, more than a brace */
static void scan(struct source* s) {
  char line[1000], *p;
  FILE* f = fopen(s->path, "r");

  while (f && s->lines < MAXLINES && fgets(line, sizeof line, f)) {
    p = line + strspn(line, " \t{}\n");
    s->code[++s->lines] = *p && strncmp(p, "//", 2) != 0;
  }
  if (f) fclose(f);
}

static struct source* find(const char* real) {
  struct source* s;
  unsigned h = hash(real);

  for (s = table[h]; s; s = s->next)
    if (strcmp(s->path, real) == 0) return s;
  if ((s = calloc(1, sizeof *s)) == NULL || (s->path = strdup(real)) == NULL) exit(1);
  s->next = table[h];
  table[h] = s;
  scan(s);
  if ((list = realloc(list, (nsources + 1) * sizeof *list)) == NULL) exit(1);
  list[nsources++] = s;
  return s;
}

static struct source* source(const char* name) {
  char real[PATH_MAX];

  return realpath(name, real) ? find(real) : NULL;
}

static int bypath(const void* a, const void* b) {
  return strcmp((*(struct source**)a)->path, (*(struct source**)b)->path);
}

int main(void) {
  char line[2000], name[1000], *p;
  int run, at, i, n, unknown = 0;
  long code = 0, reached = 0;
  FILE *in = fopen("counts", "r"), *out = fopen("uncovered.txt", "w");
  struct source* s;

  if (in == NULL || out == NULL || realpath(".", root) == NULL) {
    perror("coverage");
    return 1;
  }
  while (fgets(line, sizeof line, in)) {
    if (sscanf(line, "%d %999s%n", &run, name, &n) != 2) continue;
    if ((s = source(name)) == NULL) {
      unknown++;
      continue;
    }
    for (p = line + n; (at = strtol(p, &p, 10)) > 0 && *p == ':';)
      if (at <= s->lines)
        s->hits[at] += strtol(p + 1, &p, 10);
      else
        strtol(p + 1, &p, 10);
  }
  qsort(list, nsources, sizeof *list, bypath);
  for (i = 0; i < nsources; i++) {
    int c = 0, r = 0;
    s = list[i];
    for (n = 1; n <= s->lines; n++) {
      c += s->code[n];
      r += s->code[n] && s->hits[n];
      if (s->code[n] && !s->hits[n]) fprintf(out, "%s:%d\n", s->path + strlen(root) + 1, n);
    }
    printf("%-24s %5d of %5d lines, %5.1f %%\n", s->path + strlen(root) + 1, r, c,
           c ? 100.0 * r / c : 0);
    code += c;
    reached += r;
  }
  printf("total %ld of %ld lines, %d counts of unknown files\n", reached, code, unknown);
  fclose(in);
  return fclose(out) != 0;
}
