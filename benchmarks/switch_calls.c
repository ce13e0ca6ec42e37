// Times each call of stdio: "NAME NANOSECONDS" a line. The same source is compiled plain, with the
// calls that end in _unlocked (unlocked_names.h), and switched to sluice/stdio.h.
// usage: switch_calls FOLDER [--beside idle|writing] [NAME...]    without a NAME all calls
//        switch_calls --names                                     prints the NAMEs
// --beside: a second thread exists. It waits, or it writes to a FILE of its own all the time.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "switch_calls.h"

char path[4096];
volatile long long sink;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static FILE* open_file(const char* mode) {
  FILE* const file = fopen(path, mode);
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  return file;
}

static void close_file(FILE* file) {
  if (fclose(file) != 0) {
    perror(path);
    exit(1);
  }
}

// A number in each line of 40 bytes, or of `line_bytes`.
static void make_lines(int line_bytes) {
  const int bytes = line_bytes == 0 ? 40 : line_bytes;
  FILE* const file = open_file("w");
  for (int i = 0; i < file_bytes / bytes; ++i) fprintf(file, "%*d \n", bytes - 2, i);
  close_file(file);
}

// ---- calls that move the position ----

static uint64_t next_random(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}
static long seek_near_and_read(FILE* file) {
  uint64_t state = 1;
  long at = file_bytes / 2;
  for (int i = 0; i < calls / 4; ++i) {
    at += (long)(next_random(&state) % 129) - 64;
    if (at < 0 || at > file_bytes - 8) at = file_bytes / 2;
    int64_t value = 0;
    fseek(file, at, SEEK_SET);
    if (fread(&value, sizeof value, 1, file) == 1) sink += value;
  }
  return calls / 4;
}
static long seek_far_and_read(FILE* file) {
  uint64_t state = 1;
  for (int i = 0; i < calls / 20; ++i) {
    int64_t value = 0;
    fseeko(file, (long)(next_random(&state) % (file_bytes - 8)), SEEK_SET);
    if (fread(&value, sizeof value, 1, file) == 1) sink += value;
  }
  return calls / 20;
}
static long rewind_and_read(FILE* file) {
  for (int i = 0; i < calls / 20; ++i) {
    rewind(file);
    sink += getc(file);
  }
  return calls / 20;
}
static long keep_and_go_back(FILE* file) {
  for (int i = 0; i < calls / 20; ++i) {
    fpos_t position;
    fgetpos(file, &position);
    sink += getc(file);
    fsetpos(file, &position);
  }
  return calls / 20;
}
static long patch_near(FILE* file) {
  uint64_t state = 1;
  for (int64_t i = 0; i < calls / 20; ++i) {
    fseek(file, (long)(next_random(&state) % 2048) + 65536, SEEK_SET);
    fwrite(&i, sizeof i, 1, file);
  }
  return calls / 20;
}
static long seek_near_and_get(FILE* file) {
  for (int i = 0; i < calls / 4; ++i) {
    fseek(file, 1000 + i % 500, SEEK_SET);
    sink += getc(file);
  }
  return calls / 4;
}
static long skip_and_get(FILE* file) {
  long count = 0;
  for (int byte; (byte = getc(file)) != EOF; ++count) {
    sink += byte;
    fseek(file, 7, SEEK_CUR);
  }
  return count;
}
static long seek_to_end_and_tell(FILE* file) {
  for (int i = 0; i < calls / 20; ++i) {
    fseek(file, 0, SEEK_END);
    sink += ftell(file);
  }
  return calls / 20;
}
static long tell_alone(FILE* file) {
  sink += getc(file);
  for (int i = 0; i < calls / 10; ++i) sink += ftell(file);
  return calls / 10;
}
static long tello_and_read(FILE* file) {
  for (int i = 0; i < calls / 10; ++i) {
    sink += getc(file);
    sink += ftello(file);
  }
  return calls / 10;
}

// ---- other calls ----

static long open_and_close(FILE* file) {
  (void)file;
  for (int i = 0; i < calls / 100; ++i) fclose(fopen(path, "r"));
  return calls / 100;
}
static long open_read_and_close(FILE* file) {
  (void)file;
  for (int i = 0; i < calls / 100; ++i) {
    FILE* const opened = fopen(path, "r");
    sink += getc(opened);
    fclose(opened);
  }
  return calls / 100;
}
static long open_write_and_close(FILE* file) {
  (void)file;
  for (int i = 0; i < calls / 100; ++i) {
    FILE* const opened = fopen(path, "w");
    fputs("text\n", opened);
    fclose(opened);
  }
  return calls / 100;
}
static long open_append_and_close(FILE* file) {
  (void)file;
  for (int i = 0; i < calls / 100; ++i) {
    FILE* const opened = fopen(path, "a+");
    fputs("text\n", opened);
    fclose(opened);
  }
  return calls / 100;
}
static long fdopen_and_close(FILE* file) {
  (void)file;
  for (int i = 0; i < calls / 100; ++i) fclose(fdopen(open(path, O_RDONLY), "r"));
  return calls / 100;
}
static long reopen(FILE* file) {
  for (int i = 0; i < calls / 100; ++i) {
    if (freopen(path, "r", file) == NULL) exit(1);
  }
  return calls / 100;
}
static long make_temporary(FILE* file) {
  (void)file;
  for (int i = 0; i < calls / 1000; ++i) fclose(tmpfile());
  return calls / 1000;
}
static long set_buffer(FILE* file) {
  static char buffer[BUFSIZ];
  for (int i = 0; i < calls; ++i) setvbuf(file, buffer, _IOFBF, sizeof buffer);
  return calls;
}
static long ask_fileno(FILE* file) {
  for (int i = 0; i < calls; ++i) sink += fileno(file);
  return calls;
}
static long clear_error(FILE* file) {
  for (int i = 0; i < calls; ++i) clearerr(file);
  return calls;
}
static long ask_ferror(FILE* file) {
  for (int i = 0; i < calls; ++i) sink += ferror(file);
  return calls;
}
static long hold_lock(FILE* file) {
  for (int i = 0; i < calls; ++i) {
    flockfile(file);
    funlockfile(file);
  }
  return calls;
}
static long try_lock(FILE* file) {
  for (int i = 0; i < calls; ++i) {
    if (ftrylockfile(file) == 0) funlockfile(file);
  }
  return calls;
}
static long hold_lock_and_get(FILE* file) {
  long bytes = 0;
  int byte = 0;
  do {
    flockfile(file);
    for (int i = 0; i < 10 && (byte = getc_unlocked(file)) != EOF; ++i, ++bytes) sink += byte;
    funlockfile(file);
  } while (byte != EOF);
  return bytes;
}

static const struct timed other_calls[] = {
    {"ferror", "r", ask_ferror, 0, 0},
    {"clearerr", "r", clear_error, 0, 0},
    {"fileno", "r", ask_fileno, 0, 0},
    {"fseek near, fread", "r", seek_near_and_read, 0, 0},
    {"fseek near, getc", "r", seek_near_and_get, 0, 0},
    {"fseek SEEK_CUR, getc", "r", skip_and_get, 0, 0},
    {"fseek SEEK_END, ftell", "r", seek_to_end_and_tell, 0, 0},
    {"fseeko far, fread", "r", seek_far_and_read, 0, 0},
    {"ftell", "r", tell_alone, 0, 0},
    {"getc, ftello", "r", tello_and_read, 0, 0},
    {"rewind, getc", "r", rewind_and_read, 0, 0},
    {"fgetpos, getc, fsetpos", "r", keep_and_go_back, 0, 0},
    {"fseek near, fwrite", "r+", patch_near, 0, 0},
    {"fopen, fclose", "r", open_and_close, 0, 0},
    {"fopen, getc, fclose", "r", open_read_and_close, 0, 0},
    {"fopen w, fputs, fclose", "r", open_write_and_close, 0, 0},
    {"fopen a+, fputs, fclose", "r", open_append_and_close, 0, 0},
    {"fdopen, fclose", "r", fdopen_and_close, 0, 0},
    {"freopen", "r", reopen, 0, 0},
    {"tmpfile, fclose", "r", make_temporary, 0, 0},
    {"setvbuf", "r", set_buffer, 0, 0},
    {"flockfile, funlockfile", "r", hold_lock, 0, 0},
    {"ftrylockfile, funlockfile", "r", try_lock, 0, 0},
    {"flockfile, 10 getc_unlocked", "r", hold_lock_and_get, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};

static FILE* begin(const struct timed* timed) {
  if (timed->standard == 0) return open_file(timed->mode);
  FILE* const streams[] = {stdin, stdout, stderr};
  FILE* const file = streams[timed->mode[0] == 'r' ? 0 : timed->standard];
  if (freopen(path, timed->mode, file) == NULL) exit(1);
  return file;
}

// Nanoseconds of each call. What is left to write when the file is closed counts too.
static double time_once(const struct timed* timed) {
  FILE* const file = begin(timed);
  const double start = now();
  const long done = timed->run(file);
  if (timed->standard == 0) {
    close_file(file);
  } else {
    fflush(file);
  }
  return (now() - start) / (double)done;
}

static int is_asked_for(const char* name, char** names) {
  if (*names == NULL) return 1;
  while (*names != NULL && strcmp(*names, name) != 0) ++names;
  return *names != NULL;
}

// The fastest of three times: other work on the machine makes single times longer.
static void time_row(const struct timed* row, FILE* results) {
  if (row->mode[0] == 'r') make_lines(row->line_bytes);
  time_once(row);  // warms up: pages that were just written are slower to read
  double fastest = time_once(row);
  for (int i = 0; i < 2; ++i) {
    const double again = time_once(row);
    if (again < fastest) fastest = again;
  }
  fprintf(results, "%s\t%.3f\n", row->name, fastest);
}

// ---- the second thread ----

static atomic_int is_over;

static void* wait_for_end(void* unused) {
  (void)unused;
  while (!atomic_load(&is_over)) usleep(10000);
  return NULL;
}
static void* write_until_end(void* unused) {
  (void)unused;
  FILE* const file = fopen("/dev/null", "w");
  while (!atomic_load(&is_over)) {
    for (int i = 0; i < 10000; ++i) fputc(i, file);
  }
  fclose(file);
  return NULL;
}

static const struct timed* const tables[] = {calls_that_write, calls_that_read, other_calls};

static int print_names(void) {
  for (int i = 0; i < 3; ++i) {
    for (const struct timed* row = tables[i]; row->name != NULL; ++row) puts(row->name);
  }
  return 0;
}

int main(int count, char** arguments) {
  if (count < 2) return 2;
  if (strcmp(arguments[1], "--names") == 0) return print_names();
  snprintf(path, sizeof path, "%s/file", arguments[1]);
  // The rows of stdout write to the file.
  FILE* const results = fdopen(dup(STDOUT_FILENO), "w");
  char** names = arguments + 2;
  const int has_thread = count > 3 && strcmp(arguments[2], "--beside") == 0;
  pthread_t thread;
  if (has_thread) {
    const int writes = strcmp(arguments[3], "writing") == 0;
    pthread_create(&thread, NULL, writes ? write_until_end : wait_for_end, NULL);
    names += 2;
  }
  for (int i = 0; i < 3; ++i) {
    for (const struct timed* row = tables[i]; row->name != NULL; ++row) {
      if (is_asked_for(row->name, names)) time_row(row, results);
    }
  }
  atomic_store(&is_over, 1);
  if (has_thread) pthread_join(thread, NULL);
  fclose(results);
  return remove(path);
}
