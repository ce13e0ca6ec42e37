/* Statistics of a play: how many lines and words each character speaks, by act, the vocabulary,
 * and who speaks after whom. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE 1024
#define CAST 32
#define BUCKETS 1021

typedef struct Word {
  struct Word* next;
  int count;
  char text[];
} Word;

typedef struct Character {
  char name[32];
  int speeches, words, exits;
  int after[CAST];
} Character;

typedef struct Input {
  int fd;
  int line_number;
} Input;

static Character cast[CAST];
static int cast_size;
static Word* vocabulary[BUCKETS];

static void input_open(Input* in, const char* path) {
  in->fd = open(path, O_RDONLY);
  in->line_number = 0;
  if (in->fd < 0) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    exit(1);
  }
}

/* Reads a line without its end into buffer. Returns its length, or -1 at the end of the file. */
static int read_line(Input* in, char* buffer, int size) {
  int length = 0;
  char c;
  for (;;) {
    ssize_t got = read(in->fd, &c, 1);
    if (got < 0) {
      if (errno == EINTR) continue;
      perror("read");
      exit(1);
    }
    if (got == 0) {
      if (length == 0) return -1;
      break;
    }
    if (c == '\n') break;
    if (c != '\r' && length < size - 1) buffer[length++] = c;
  }
  buffer[length] = 0;
  in->line_number++;
  return length;
}

static int character_named(const char* name) {
  for (int i = 0; i < cast_size; i++)
    if (strcmp(cast[i].name, name) == 0) return i;
  if (cast_size == CAST) return 0;
  snprintf(cast[cast_size].name, sizeof cast[0].name, "%s", name);
  return cast_size++;
}

static void count_word(const char* text) {
  unsigned hash = 5381;
  for (const char* p = text; *p; p++) hash = hash * 33 + (unsigned char)*p;
  Word** slot = &vocabulary[hash % BUCKETS];
  for (Word* w = *slot; w; w = w->next)
    if (strcmp(w->text, text) == 0) {
      w->count++;
      return;
    }
  Word* w = malloc(sizeof *w + strlen(text) + 1);
  strcpy(w->text, text);
  w->count = 1;
  w->next = *slot;
  *slot = w;
}

static int count_words(char* speech) {
  int n = 0;
  for (char* word = strtok(speech, " ,.;!?"); word; word = strtok(NULL, " ,.;!?")) {
    for (char* p = word; *p; p++) *p = (char)tolower((unsigned char)*p);
    count_word(word);
    n++;
  }
  return n;
}

/* The length of the longest common subsequence of two speeches. */
static int echo_of(const char* a, const char* b) {
  static short row[LINE + 1];
  int n = (int)strlen(b);
  memset(row, 0, sizeof row[0] * (size_t)(n + 1));
  for (; *a; a++) {
    int diagonal = 0;
    for (int k = 1; k <= n; k++) {
      int above = row[k];
      if (*a == b[k - 1])
        row[k] = (short)(diagonal + 1);
      else if (row[k - 1] > above)
        row[k] = row[k - 1];
      diagonal = above;
    }
  }
  return row[n];
}

static int compare_words(const void* a, const void* b) {
  const Word *x = *(Word*const*)a, *y = *(Word*const*)b;
  return x->count != y->count ? y->count - x->count : strcmp(x->text, y->text);
}

static void print_vocabulary(void) {
  int n = 0;
  for (int i = 0; i < BUCKETS; i++)
    for (Word* w = vocabulary[i]; w; w = w->next) n++;
  Word** all = malloc(sizeof *all * (size_t)n);
  n = 0;
  for (int i = 0; i < BUCKETS; i++)
    for (Word* w = vocabulary[i]; w; w = w->next) all[n++] = w;
  qsort(all, (size_t)n, sizeof *all, compare_words);
  printf("%d different words\n", n);
  for (int i = 0; i < n && i < 20; i++) printf("  %-12s %d\n", all[i]->text, all[i]->count);
  free(all);
}

int main(void) {
  Input in;
  char line[LINE];
  char before[2][LINE] = {"", ""};
  int previous = -1, act_words = 0, echoes = 0;
  input_open(&in, "play.txt");
  while (read_line(&in, line, sizeof line) >= 0) {
    if (strncmp(line, "ACT ", 4) == 0) {
      if (act_words) printf("  %d words\n", act_words);
      printf("%s (line %d)\n", line, in.line_number);
      act_words = 0;
      previous = -1;
    } else if (strncmp(line, "[Exit ", 6) == 0) {
      line[strcspn(line, "]")] = 0;
      cast[character_named(line + 6)].exits++;
    } else {
      char* colon = strchr(line, ':');
      if (!colon) continue;
      *colon = 0;
      int who = character_named(line);
      for (int i = 0; i < 2; i++)
        if (echo_of(before[i], colon + 1) * 4 > (int)strlen(colon + 1) * 3) echoes++;
      strcpy(before[1], before[0]);
      strcpy(before[0], colon + 1);
      int n = count_words(colon + 1);
      cast[who].speeches++;
      cast[who].words += n;
      act_words += n;
      if (previous >= 0) cast[who].after[previous]++;
      previous = who;
    }
  }
  printf("  %d words\n", act_words);
  close(in.fd);
  for (int i = 0; i < cast_size; i++) {
    printf("%-10s %5d speeches %6d words %5d exits; after", cast[i].name, cast[i].speeches,
           cast[i].words, cast[i].exits);
    for (int k = 0; k < cast_size; k++) printf(" %s:%d", cast[k].name, cast[i].after[k]);
    putchar('\n');
  }
  printf("%d echoes\n", echoes);
  print_vocabulary();
  return 0;
}
