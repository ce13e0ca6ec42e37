/* spelling checker; the dictionary lives in a process of its own, which
 * answers "ok" or "?" to each word that it is sent */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAXWORDS 64

static char** dict;
static int ndict;

static int compare(const void* a, const void* b) { return strcmp(*(char**)a, *(char**)b); }

static void load_dict(void) {
  char word[128];
  int room = 0;
  FILE* f = fopen("dict.txt", "r");
  if (!f) exit(1);
  while (fgets(word, sizeof word, f)) {
    word[strcspn(word, "\n")] = 0;
    if (ndict == room) dict = realloc(dict, (room = room * 2 + 1000) * sizeof *dict);
    dict[ndict++] = strdup(word);
  }
  fclose(f);
  qsort(dict, ndict, sizeof *dict, compare);
}

static void serve(int from, int to) {
  static char buf[65536], answer[65536];
  size_t have = 0;
  ssize_t n;
  load_dict();
  while ((n = read(from, buf + have, sizeof buf - have)) > 0) {
    char *p = buf, *nl;
    size_t len = 0;
    have += n;
    while ((nl = memchr(p, '\n', buf + have - p))) {
      *nl = 0;
      int ok = bsearch(&p, dict, ndict, sizeof *dict, compare) != NULL;
      answer[len++] = ok ? '+' : '-';
      p = nl + 1;
    }
    have = buf + have - p;
    memmove(buf, p, have);
    if (len && write(to, answer, len) < 0) break;
  }
  _exit(0);
}

static void check(int to, int from, char** word, int n, char* ok) {
  int i;
  for (i = 0; i < n; i++) {
    char line[130];
    int len = snprintf(line, sizeof line, "%s\n", word[i]);
    if (write(to, line, len) != len || read(from, &ok[i], 1) != 1) {
      fprintf(stderr, "the dictionary died\n");
      exit(1);
    }
  }
}

int main(void) {
  int up[2], down[2], i, n;
  char text[2048], ok[MAXWORDS], *word[MAXWORDS];
  long words = 0, bad = 0, line = 0;
  FILE* in = fopen("essay.txt", "r");
  FILE* out = fopen("misspelt.txt", "w");
  if (!in || !out || pipe(up) < 0 || pipe(down) < 0) {
    perror("speller");
    return 1;
  }
  pid_t pid = fork();
  if (pid == 0) {
    close(up[1]);
    close(down[0]);
    serve(up[0], down[1]);
  }
  close(up[0]);
  close(down[1]);
  while (fgets(text, sizeof text, in)) {
    char* p = text;
    line++;
    for (n = 0; n < MAXWORDS; n++) {
      while (*p && !isalpha((unsigned char)*p)) p++;
      if (!*p) break;
      word[n] = p;
      while (isalpha((unsigned char)*p)) {
        *p = tolower((unsigned char)*p);
        p++;
      }
      if (*p) *p++ = 0;
    }
    check(up[1], down[0], word, n, ok);
    for (i = 0; i < n; i++)
      if (ok[i] != '+') {
        fprintf(out, "%ld: %s\n", line, word[i]);
        bad++;
      }
    words += n;
  }
  close(up[1]);
  waitpid(pid, NULL, 0);
  fclose(in);
  fclose(out);
  printf("%ld lines, %ld words, %ld misspelt\n", line, words, bad);
  return 0;
}
