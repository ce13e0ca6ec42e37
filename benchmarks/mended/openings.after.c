/* openings: name the opening of each game of a chess collection.
 * book.dat holds records of 96 bytes sorted by the key (the first moves of
 * the game, as a 32-byte string padded with NULs) with the name of the
 * opening; games.txt has the moves of one game per line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY 32

struct entry {
  char moves[KEY];
  char eco[4];
  char name[56];
  int number;
};

static struct entry* entries;
static long nentries;

/* the values of the white (positive) and black pieces on the squares */
static void set_up(int board[64]) {
  static const int back[8] = {5, 3, 3, 9, 100, 3, 3, 5};

  memset(board, 0, 64 * sizeof *board);
  for (int i = 0; i < 8; i++) {
    board[i] = back[i];
    board[8 + i] = 1;
    board[48 + i] = -1;
    board[56 + i] = -back[i];
  }
}

/* what the pieces are worth where they stand */
static int evaluate(const int board[64]) {
  int sum = 0;

  for (int sq = 0; sq < 64; sq++) {
    int file = sq & 7, rank = sq >> 3;
    int centre = (file < 4 ? file : 7 - file) + (rank < 4 ? rank : 7 - rank);

    if (board[sq] > 0)
      sum += 10 * board[sq] + centre;
    else if (board[sq] < 0)
      sum += 10 * board[sq] - centre;
  }
  return sum;
}

/* replays a game; returns the largest change of the evaluation in one move */
static int largest_swing(const char* p) {
  int board[64], last, swing = 0;

  set_up(board);
  last = evaluate(board);
  for (; p[0] >= 'a' && p[0] <= 'h'; p += 5) {
    int from = (p[1] - '1') * 8 + p[0] - 'a', to = (p[3] - '1') * 8 + p[2] - 'a';

    board[to] = board[from];
    board[from] = 0;
    int now = evaluate(board);
    if (abs(now - last) > swing) swing = abs(now - last);
    last = now;
    if (p[4] != ' ') break;
  }
  return swing;
}

/* looks the moves up in the book; returns 1 if they are there */
static int find_opening(const char* moves, struct entry* e) {
  long lo = 0, hi = nentries - 1;

  while (lo <= hi) {
    long mid = (lo + hi) / 2;

    *e = entries[mid];
    int c = strncmp(moves, e->moves, KEY);
    if (c == 0) return 1;
    if (c < 0)
      hi = mid - 1;
    else
      lo = mid + 1;
  }
  return 0;
}

int main(void) {
  FILE* book = fopen("book.dat", "rb");
  FILE* games = fopen("games.txt", "r");
  FILE* out = fopen("named.txt", "w");
  char line[1000];
  long n = 0, unknown = 0;
  long letters[256] = {0};

  if (!book || !games || !out) {
    perror("openings");
    return 1;
  }
  fseek(book, 0, SEEK_END);
  nentries = ftell(book) / (long)sizeof(struct entry);
  rewind(book);
  entries = malloc(nentries * sizeof *entries);
  if (!entries || fread(entries, sizeof *entries, nentries, book) != (size_t)nentries) {
    fprintf(stderr, "cannot read the book\n");
    return 1;
  }

  while (fgets(line, sizeof line, games)) {
    struct entry e;
    char key[KEY + 1];
    int found = 0;

    n++;
    /* try six half moves (four letters and a blank each), then five, ... */
    for (int half = 6; half >= 2 && !found; half--) {
      int len = half * 5 - 1;

      if ((int)strlen(line) < len) continue;
      memset(key, 0, sizeof key);
      memcpy(key, line, len);
      found = find_opening(key, &e);
    }
    if (found) {
      fprintf(out, "%ld %.4s %s, %d\n", n, e.eco, e.name, largest_swing(line));
      letters[(unsigned char)e.eco[0]]++;
    } else {
      fprintf(out, "%ld ? irregular, %d\n", n, largest_swing(line));
      unknown++;
    }
  }
  fclose(book);
  fclose(games);
  fclose(out);
  for (int c = 'A'; c <= 'E'; c++) printf("%c %ld\n", c, letters[c]);
  printf("irregular %ld of %ld\n", unknown, n);
  return 0;
}
