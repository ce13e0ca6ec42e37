// Keeps the best scores of a game in a file, which it writes anew after each change.
#include <stdio.h>
enum { kScores = 100 };
static int scores[kScores];

static int save(void) {
  FILE* file = fopen("out", "w");
  if (file == NULL) return 1;
  for (int i = 0; i < kScores; ++i) fprintf(file, "player %d: %d\n", i, scores[i]);
  return fclose(file);
}

// The result of a game: a few thousand throws of dice.
static int play(unsigned* chance) {
  int sum = 0;
  for (int i = 0; i < 4000; ++i) {
    *chance = *chance * 1664525 + 1013904223;
    sum += (int)(*chance >> 16) % 6 + 1;
  }
  return sum;
}

int main(void) {
  unsigned chance = 1;
  int changes = 0;
  for (int game = 0; game < 20000; ++game) {
    int score = play(&chance);
    int player = game % kScores;
    if (score % 2 == 0) continue;
    scores[player] = scores[player] * 3 / 4 + score / 4;
    ++changes;
    if (save() != 0) return 1;
  }
  printf("%d changes\n", changes);
  return 0;
}
