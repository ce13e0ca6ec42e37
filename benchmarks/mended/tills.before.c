/* posts the receipts of the day to the file of loyalty cards */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CARDS 3000
#define TILLS 12

struct card {
  int32_t number;
  int32_t visits;
  int64_t spent;
  int32_t points;
  int32_t level;
};

static int db;

static void lock(short type, off_t start, off_t len) {
  struct flock fl;
  memset(&fl, 0, sizeof fl);
  fl.l_type = type;
  fl.l_whence = SEEK_SET;
  fl.l_start = start;
  fl.l_len = len;
  if (fcntl(db, F_SETLKW, &fl) < 0) {
    perror("lock");
    exit(1);
  }
}

static void create(void) {
  int i;
  db = open("cards.db", O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (db < 0) {
    perror("cards.db");
    exit(1);
  }
  struct card* all = calloc(CARDS, sizeof *all);
  for (i = 0; i < CARDS; i++) all[i].number = i;
  if (write(db, all, CARDS * sizeof *all) < 0) exit(1);
  free(all);
}

static int level_for(int64_t spent) {
  static const int64_t bound[] = {50000, 150000, 300000, 420000};
  int l = 0;
  while (l < 4 && spent >= bound[l]) l++;
  return l;
}

/* returns 1 when the card has risen to a new level */
static int post(int number, int pence) {
  struct card c;
  off_t at = (off_t)number * sizeof c;
  int rise = 0;

  lock(F_WRLCK, at, sizeof c);
  if (pread(db, &c, sizeof c, at) != sizeof c) exit(1);
  c.visits++;
  c.spent += pence;
  c.points += pence / 100 * (1 + c.level);
  if (level_for(c.spent) != c.level) {
    c.level = level_for(c.spent);
    rise = 1;
  }
  if (pwrite(db, &c, sizeof c, at) != sizeof c) exit(1);
  lock(F_UNLCK, at, sizeof c);
  return rise;
}

int main(void) {
  int till, number, pence, i;
  long total[TILLS + 1] = {0}, rises = 0;
  FILE* in = fopen("receipts.txt", "r");
  if (!in) {
    perror("receipts.txt");
    return 1;
  }
  create();
  while (fscanf(in, "%d %d %d", &till, &number, &pence) == 3) {
    if (till < 1 || till > TILLS || number < 0 || number >= CARDS) continue;
    total[till] += pence;
    rises += post(number, pence);
  }
  fclose(in);
  close(db);
  for (i = 1; i <= TILLS; i++) printf("till %2d %10.2f\n", i, total[i] / 100.0);
  printf("%ld cards rose\n", rises);
  return 0;
}
