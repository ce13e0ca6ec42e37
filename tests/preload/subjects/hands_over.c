// usage: hands_over FILE HOW
//
// Two threads work on the lines of a file. HOW is a number: one thread hands so many lines at once
// to the other one. "lock": both read the whole file, and count lines under a lock. "sleep": one
// reads a line now and then.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_lines = 1000, line_bytes = 64 };

static const char* path;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static char slot[most_lines][line_bytes];
static int in_slot = -1;  // lines; -1: the slot is free, 0: the file has ended
static long counted;

static void wait_for(int is_free) {
  pthread_mutex_lock(&lock);
  while ((in_slot < 0) != is_free) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

static void set_slot(int lines) {
  pthread_mutex_lock(&lock);
  in_slot = lines;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

static void* count_lines(void* unused) {
  for (;;) {
    wait_for(0);
    const int lines = in_slot;
    for (int i = 0; i < lines; ++i) counted += slot[i][0] == 'a';
    set_slot(-1);
    if (lines == 0) return unused;
  }
}

static void hand_over(FILE* file, int at_once) {
  for (int lines = 1; lines > 0;) {
    wait_for(1);
    for (lines = 0; lines < at_once && fgets(slot[lines], line_bytes, file) != NULL;) ++lines;
    set_slot(lines);
  }
}

static void* count_under_lock(void* unused) {
  char line[line_bytes];
  FILE* const file = fopen(path, "r");
  while (fgets(line, line_bytes, file) != NULL) {
    pthread_mutex_lock(&lock);
    counted += line[0] == 'a';
    pthread_mutex_unlock(&lock);
  }
  fclose(file);
  return unused;
}

static void* read_slowly(void* unused) {
  char line[line_bytes];
  FILE* const file = fopen(path, "r");
  for (int i = 0; i < 25000 && fgets(line, line_bytes, file) != NULL; ++i) usleep(50);
  fclose(file);
  return unused;
}

int main(int count, char** words) {
  if (count != 3) return 2;
  path = words[1];
  const int at_once = atoi(words[2]);
  if (at_once > most_lines) return 2;
  void* (*const work)(void*) = at_once > 0                     ? count_lines
                               : strcmp(words[2], "lock") == 0 ? count_under_lock
                                                               : read_slowly;
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  if (at_once > 0) {
    FILE* const file = fopen(path, "r");
    hand_over(file, at_once);
    fclose(file);
  } else if (work == count_under_lock) {
    count_under_lock(NULL);
  }
  pthread_join(other, NULL);
  printf("%ld\n", counted);
  return 0;
}
