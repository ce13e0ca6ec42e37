/* spool - delivers the messages on standard input (one after the other, each from a line
 * "From sender recipient") to the mailboxes box.NAME, with the lock files that mail readers
 * look for, and prints how much each recipient has got and how much looks like spam. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAXBOX 64
#define MAXMSG 65536

struct box {
  char name[40], file[60], lock[70];
  int fd, messages, spam;
  long bytes;
};

static struct box boxes[MAXBOX];
static int nboxes;

static void lock(struct box* b) {
  int fd, tries = 0;

  while ((fd = open(b->lock, O_WRONLY | O_CREAT | O_EXCL, 0600)) < 0) {
    if (++tries == 10) {
      perror(b->lock);
      exit(1);
    }
    sleep(1);
  }
  if (write(fd, "spool\n", 6) != 6) perror(b->lock);
  close(fd);
}

static void unlock(struct box* b) { unlink(b->lock); }

static struct box* boxof(const char* name) {
  struct box* b;
  int i;

  for (i = 0; i < nboxes; i++)
    if (strcmp(boxes[i].name, name) == 0) return &boxes[i];
  if (nboxes == MAXBOX) {
    fprintf(stderr, "spool: too many recipients\n");
    exit(1);
  }
  b = &boxes[nboxes++];
  snprintf(b->name, sizeof b->name, "%s", name);
  snprintf(b->file, sizeof b->file, "box.%s", name);
  snprintf(b->lock, sizeof b->lock, "box.%s.lock", name);
  if ((b->fd = open(b->file, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600)) < 0) {
    perror(b->file);
    exit(1);
  }
  return b;
}

/* a mark for each word that honest letters hardly have, and for each run of capitals */
static int spamlike(const char* text) {
  static const char* const bad[] = {"lottery", "prince",  "FREE",  "casino", "!!!",
                                    "inherit", "million", "pills", "urgent", "click"};
  const char* p;
  int mark = 0, caps = 0;
  size_t i;

  for (i = 0; i < sizeof bad / sizeof *bad; i++)
    for (p = text; (p = strstr(p, bad[i])) != NULL; p++) mark += 2;
  for (p = text; *p; p++) {
    caps = *p >= 'A' && *p <= 'Z' ? caps + 1 : 0;
    mark += caps == 6;
  }
  return mark >= 4;
}

static void deliver(const char* to, const char* text, size_t len) {
  struct box* b = boxof(to);

  lock(b);
  if (write(b->fd, text, len) != (ssize_t)len) {
    perror(b->file);
    exit(1);
  }
  unlock(b);
  b->messages++;
  b->bytes += len;
  b->spam += spamlike(text);
}

int main(void) {
  static char text[MAXMSG + 1];
  char line[1000], from[100], to[40] = "";
  size_t len = 0, n;
  int i;

  while (fgets(line, sizeof line, stdin)) {
    n = strlen(line);
    if (sscanf(line, "From %99s %39s", from, to) == 2 || len + n + 1 > MAXMSG) {
      static char last[40];
      if (len) deliver(last, text, len);
      strcpy(last, to);
      len = 0;
    } else if (strncmp(line, ">From ", 6) == 0)
      text[len++] = '>';
    memcpy(text + len, line, n + 1);
    len += n;
  }
  if (len) deliver(to, text, len);
  for (i = 0; i < nboxes; i++) {
    printf("%-10s %6d messages %9ld bytes %5d spam\n", boxes[i].name, boxes[i].messages,
           boxes[i].bytes, boxes[i].spam);
    close(boxes[i].fd);
  }
  return 0;
}
