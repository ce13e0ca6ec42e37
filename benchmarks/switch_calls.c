// Times each call of stdio: "NAME NANOSECONDS" a line. The same source is compiled plain, with the
// calls that end in _unlocked (unlocked_names.h), and switched to sluice/stdio.h.
// usage: switch_calls FOLDER
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { calls = 2000000, file_bytes = 4 << 20, line_bytes = 40 };

static char path[4096];
static volatile long long sink;

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

static void make_lines(void) {
  FILE* const file = open_file("w");
  for (int i = 0; i < file_bytes / line_bytes; ++i) fprintf(file, "%38d \n", i);
  close_file(file);
}

// ---- calls that write ----

static long write_fputc(FILE* file) {
  for (int i = 0; i < calls; ++i) fputc(i, file);
  return calls;
}
static long write_putc(FILE* file) {
  for (int i = 0; i < calls; ++i) putc(i, file);
  return calls;
}
static long write_1_byte(FILE* file) {
  for (int i = 0; i < calls; ++i) {
    const char byte = (char)i;
    fwrite(&byte, 1, 1, file);
  }
  return calls;
}
static long write_8_bytes(FILE* file) {
  for (int64_t i = 0; i < calls; ++i) fwrite(&i, sizeof i, 1, file);
  return calls;
}
static long write_64_kib(FILE* file) {
  static char block[65536];
  for (int i = 0; i < calls / 10000; ++i) fwrite(block, 1, sizeof block, file);
  return calls / 10000;
}
static long write_fputs(FILE* file) {
  for (int i = 0; i < calls; ++i) fputs("a line of text\n", file);
  return calls;
}
static long write_fprintf_text(FILE* file) {
  for (int i = 0; i < calls / 2; ++i) fprintf(file, "%s\n", "a line of text");
  return calls / 2;
}
static long write_fprintf_number(FILE* file) {
  for (int i = 0; i < calls / 2; ++i) fprintf(file, "%d\n", i);
  return calls / 2;
}
static long write_fprintf_width(FILE* file) {
  for (int i = 0; i < calls / 8; ++i) fprintf(file, "%5d %-8s", i, "text");
  return calls / 8;
}
static long write_fprintf_shortest(FILE* file) {
  for (int i = 0; i < calls / 8; ++i) fprintf(file, "%g", i * 0.37);
  return calls / 8;
}
static long write_fprintf_double(FILE* file) {
  for (int i = 0; i < calls / 8; ++i) fprintf(file, "%.3f\n", i * 0.37);
  return calls / 8;
}
__attribute__((format(printf, 2, 3))) static void print(FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(file, format, arguments);
  va_end(arguments);
}
static long write_vfprintf(FILE* file) {
  for (int i = 0; i < calls / 2; ++i) print(file, "%d %s\n", i, "text");
  return calls / 2;
}
static long write_and_flush(FILE* file) {
  for (int i = 0; i < calls / 20; ++i) {
    fputs("a line of text\n", file);
    fflush(file);
  }
  return calls / 20;
}
static long write_and_tell(FILE* file) {
  for (int i = 0; i < calls; ++i) {
    putc(i, file);
    sink += ftell(file);
  }
  return calls;
}

// ---- calls that read ----

static long read_fgetc(FILE* file) {
  long bytes = 0;
  for (int byte; (byte = fgetc(file)) != EOF; ++bytes) sink += byte;
  return bytes;
}
static long read_getc(FILE* file) {
  long bytes = 0;
  int sum = 0;
  for (int byte; (byte = getc(file)) != EOF; ++bytes) sum += byte;
  sink += sum;
  return bytes;
}
static long read_ungetc(FILE* file) {
  long bytes = 0;
  for (int byte; (byte = getc(file)) != EOF; ++bytes) {
    ungetc(byte, file);
    sink += getc(file);
  }
  return bytes;
}
static long read_1_byte(FILE* file) {
  long bytes = 0;
  int sum = 0;
  for (char byte; fread(&byte, 1, 1, file) == 1; ++bytes) sum += byte;
  sink += sum;
  return bytes;
}
static long read_8_bytes(FILE* file) {
  long values = 0;
  for (int64_t value; fread(&value, sizeof value, 1, file) == 1; ++values) sink += value;
  return values;
}
static long read_64_kib(FILE* file) {
  static char block[65536];
  long blocks = 0;
  for (int i = 0; i < 20; ++i) {
    rewind(file);
    while (fread(block, 1, sizeof block, file) == sizeof block) ++blocks;
  }
  return blocks;
}
static long read_fgets(FILE* file) {
  long lines = 0;
  for (char line[100]; fgets(line, sizeof line, file) != NULL; ++lines) sink += line[37];
  return lines;
}
static long read_getline(FILE* file) {
  long lines = 0;
  char* line = NULL;
  size_t bytes = 0;
  for (; getline(&line, &bytes, file) > 0; ++lines) sink += line[37];
  free(line);
  return lines;
}
static long read_fscanf(FILE* file) {
  long numbers = 0;
  for (int number; fscanf(file, "%d", &number) == 1; ++numbers) sink += number;
  return numbers;
}
static long read_fscanf_word(FILE* file) {
  long words = 0;
  for (char word[64]; fscanf(file, "%63s", word) == 1; ++words) sink += word[0];
  return words;
}
static long read_fscanf_double(FILE* file) {
  long numbers = 0;
  for (double number; fscanf(file, "%lf", &number) == 1; ++numbers) sink += (long)number;
  return numbers;
}
static long read_feof(FILE* file) {
  long bytes = 0;
  for (; !feof(file) && !ferror(file); ++bytes) sink += getc(file);
  return bytes;
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

static long open_and_close(FILE* file) {
  (void)file;
  for (int i = 0; i < calls / 100; ++i) fclose(fopen(path, "r"));
  return calls / 100;
}

struct timed {
  const char* name;
  const char* mode;
  long (*run)(FILE*);
};

static const struct timed table[] = {
    {"fputc", "w", write_fputc},
    {"putc", "w", write_putc},
    {"fwrite of 1 byte", "w", write_1_byte},
    {"fwrite of 8 bytes", "w", write_8_bytes},
    {"fwrite of 64 KiB", "w", write_64_kib},
    {"fputs", "w", write_fputs},
    {"fprintf %s", "w", write_fprintf_text},
    {"fprintf %d", "w", write_fprintf_number},
    {"fprintf %.3f", "w", write_fprintf_double},
    {"fprintf %5d %-8s", "w", write_fprintf_width},
    {"fprintf %g", "w", write_fprintf_shortest},
    {"vfprintf", "w", write_vfprintf},
    {"fputs, fflush", "w", write_and_flush},
    {"putc, ftell", "w", write_and_tell},
    {"fgetc", "r", read_fgetc},
    {"getc", "r", read_getc},
    {"getc, ungetc, getc", "r", read_ungetc},
    {"fread of 1 byte", "r", read_1_byte},
    {"fread of 8 bytes", "r", read_8_bytes},
    {"fread of 64 KiB", "r", read_64_kib},
    {"fgets", "r", read_fgets},
    {"getline", "r", read_getline},
    {"fscanf %d", "r", read_fscanf},
    {"fscanf %s", "r", read_fscanf_word},
    {"fscanf %lf", "r", read_fscanf_double},
    {"feof, ferror, getc", "r", read_feof},
    {"fseek near, fread", "r", seek_near_and_read},
    {"fseeko far, fread", "r", seek_far_and_read},
    {"rewind, getc", "r", rewind_and_read},
    {"fgetpos, getc, fsetpos", "r", keep_and_go_back},
    {"fseek near, fwrite", "r+", patch_near},
    // Without the time that the kernel takes to give a new file its pages.
    {"fwrite of 1 byte over old ones", "r+", write_1_byte},
    {"fopen, fclose", "r", open_and_close},
};

// Nanoseconds of each call. What is left to write when the file is closed counts too.
static double time_once(const struct timed* timed) {
  FILE* const file = open_file(timed->mode);
  const double begin = now();
  const long done = timed->run(file);
  close_file(file);
  return (now() - begin) / (double)done;
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  snprintf(path, sizeof path, "%s/file", arguments[1]);
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    if (table[i].mode[0] == 'r') make_lines();
    time_once(&table[i]);  // warms up: pages that were just written are slower to read
    printf("%s\t%.3f\n", table[i].name, time_once(&table[i]));
  }
  return remove(path);
}
