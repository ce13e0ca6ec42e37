/* timetable: make a departure board for each station out of the list of
 * train calls.  calls.csv has lines "train,station,arrival,departure" in the
 * order of the trains; the boards are written to board_STATION.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STATIONS 100

struct station {
  char code[8];
  int calls;
  int longest;
  FILE* board;
};

static struct station stations[MAX_STATIONS];
static int nstations;

static int minutes(const char* hhmm) { return atoi(hhmm) * 60 + atoi(hhmm + 3); }

static struct station* find_station(const char* code) {
  for (int i = 0; i < nstations; i++)
    if (strcmp(stations[i].code, code) == 0) return &stations[i];
  if (nstations == MAX_STATIONS) {
    fprintf(stderr, "too many stations\n");
    exit(1);
  }
  struct station* s = &stations[nstations++];
  char name[40];

  snprintf(s->code, sizeof s->code, "%s", code);
  snprintf(name, sizeof name, "board_%s.txt", s->code);
  s->board = fopen(name, "w");
  if (!s->board) {
    perror(name);
    exit(1);
  }
  fprintf(s->board, "Departures from %s\n", s->code);
  return s;
}

static void add_to_board(struct station* s, const char* train, const char* dep, int stay) {
  fprintf(s->board, "%s  %-8s stops %d min\n", dep, train, stay);
}

int main(void) {
  FILE* in = fopen("calls.csv", "r");
  char line[200];

  if (!in) {
    perror("calls.csv");
    return 1;
  }
  while (fgets(line, sizeof line, in)) {
    char* train = strtok(line, ",");
    char* code = strtok(NULL, ",");
    char* arr = strtok(NULL, ",");
    char* dep = strtok(NULL, ",\n");

    if (!dep) continue;
    struct station* s = find_station(code);
    int stay = (minutes(dep) - minutes(arr) + 1440) % 1440;

    s->calls++;
    if (stay > s->longest) s->longest = stay;
    add_to_board(s, train, dep, stay);
  }
  fclose(in);
  for (int i = 0; i < nstations; i++) fclose(stations[i].board);
  for (int i = 0; i < nstations; i++)
    printf("%-6s %6d calls, longest stop %d min\n", stations[i].code, stations[i].calls,
           stations[i].longest);
  return 0;
}
