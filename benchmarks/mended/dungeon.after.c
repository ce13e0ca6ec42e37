/* dungeon: a small text adventure.  Plays the commands of standard input
 * (n, s, e, w, take, drop, rest) and saves the game in dungeon.sav. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define W 12
#define H 12
#define ITEMS 12
#define MONSTERS 8

struct room {
  int visits;
  int torch;
};

struct game {
  int x, y, turn, health, score;
  struct room rooms[H][W];
  int item_room[ITEMS]; /* -1: carried by the player */
  int monster_room[MONSTERS];
};

static struct game g;

static void save_game(const char* name) {
  FILE* f = fopen(name, "w");

  if (!f) {
    perror(name);
    exit(1);
  }
  fprintf(f, "player %d %d\nturn %d\nhealth %d\nscore %d\n", g.x, g.y, g.turn, g.health, g.score);
  for (int y = 0; y < H; y++) {
    char row[W + 1];

    for (int x = 0; x < W; x++)
      row[x] = g.rooms[y][x].torch ? '*' : g.rooms[y][x].visits ? '+' : '.';
    row[W] = 0;
    fprintf(f, "map %s\n", row);
  }
  for (int i = 0; i < ITEMS; i++) fprintf(f, "item %d\n", g.item_room[i]);
  for (int i = 0; i < MONSTERS; i++) fprintf(f, "monster %d\n", g.monster_room[i]);
  fclose(f);
}

static void new_game(void) {
  memset(&g, 0, sizeof g);
  g.x = W / 2;
  g.y = H / 2;
  g.health = 100;
  for (int i = 0; i < ITEMS; i++) g.item_room[i] = (i * 37 + 11) % (W * H);
  for (int i = 0; i < MONSTERS; i++) g.monster_room[i] = i * 17;
}

/* the neighbour of a room in a direction, -1 if there is a wall */
static int neighbour(int room, int dir) {
  static const int dx[4] = {0, 0, 1, -1}, dy[4] = {-1, 1, 0, 0};
  int x = room % W + dx[dir], y = room / W + dy[dir];

  if (x < 0 || y < 0 || x >= W || y >= H) return -1;
  return y * W + x;
}

/* each monster goes a step on the shortest way to the player that does not
 * lead through a lit room, now and then */
static void move_monsters(void) {
  for (int i = 0; i < MONSTERS; i++) {
    int dist[W * H], queue[W * H], head = 0, tail = 0;
    int best = -1;

    if ((g.turn + i) % 2) continue;
    memset(dist, -1, sizeof dist);
    queue[tail++] = g.y * W + g.x;
    dist[queue[0]] = 0;
    while (head < tail) {
      int room = queue[head++];

      for (int d = 0; d < 4; d++) {
        int r = neighbour(room, d);

        if (r < 0 || dist[r] >= 0 || (g.rooms[r / W][r % W].torch && (r + i) % 3)) continue;
        dist[r] = dist[room] + 1;
        queue[tail++] = r;
      }
    }
    for (int d = 0; d < 4; d++) {
      int r = neighbour(g.monster_room[i], d);

      if (r >= 0 && dist[r] >= 0 && (best < 0 || dist[r] < dist[best])) best = r;
    }
    if (best >= 0) g.monster_room[i] = best;
    if (g.monster_room[i] == g.y * W + g.x) {
      printf("A monster bites you.\n");
      g.health = g.health > 10 ? g.health - 10 : 1;
      g.monster_room[i] = (g.turn * 7 + i) % (W * H);
    }
  }
}

static void move(int dx, int dy) {
  int x = g.x + dx, y = g.y + dy;

  if (x < 0 || y < 0 || x >= W || y >= H) {
    printf("There is a wall.\n");
    return;
  }
  g.x = x;
  g.y = y;
  g.rooms[y][x].visits++;
  if (g.health > 1) g.health--;
  printf("You are in room %d.\n", y * W + x);
}

static void take(void) {
  for (int i = 0; i < ITEMS; i++)
    if (g.item_room[i] == g.y * W + g.x) {
      g.item_room[i] = -1;
      g.score += 5;
      printf("You take item %d.\n", i);
      return;
    }
  printf("There is nothing here.\n");
}

static void drop(void) {
  for (int i = 0; i < ITEMS; i++)
    if (g.item_room[i] == -1) {
      g.item_room[i] = g.y * W + g.x;
      g.score -= 4;
      printf("You drop item %d.\n", i);
      return;
    }
  printf("You carry nothing.\n");
}

static void play(const char* cmd) {
  g.turn++;
  if (strcmp(cmd, "n") == 0)
    move(0, -1);
  else if (strcmp(cmd, "s") == 0)
    move(0, 1);
  else if (strcmp(cmd, "e") == 0)
    move(1, 0);
  else if (strcmp(cmd, "w") == 0)
    move(-1, 0);
  else if (strcmp(cmd, "take") == 0)
    take();
  else if (strcmp(cmd, "drop") == 0)
    drop();
  else if (strcmp(cmd, "rest") == 0) {
    g.health = 100;
    g.rooms[g.y][g.x].torch = 1;
    printf("You feel better.\n");
  } else
    printf("What?\n");
  move_monsters();
}

int main(void) {
  char cmd[100];

  new_game();
  while (scanf("%99s", cmd) == 1) play(cmd);
  save_game("dungeon.sav");
  printf("You played %d turns and have %d points.\n", g.turn, g.score);
  return 0;
}
