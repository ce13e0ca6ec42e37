// The rows of switch_calls.c for calls that read.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "switch_calls.h"

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
static long read_blocks(FILE* file, size_t bytes) {
  static char block[65536];
  long blocks = 0;
  for (int i = 0; i < 20; ++i) {
    rewind(file);
    while (fread(block, 1, bytes, file) == bytes) ++blocks;
  }
  return blocks;
}
static long read_1_kib(FILE* file) { return read_blocks(file, 1024); }
static long read_4_kib(FILE* file) { return read_blocks(file, 4096); }
static long read_8_kib(FILE* file) { return read_blocks(file, 8192); }
static long read_16_kib(FILE* file) { return read_blocks(file, 16384); }
static long read_32_kib(FILE* file) { return read_blocks(file, 32768); }
static long read_48_kib(FILE* file) { return read_blocks(file, 49152); }
static long read_64_kib(FILE* file) { return read_blocks(file, 65536); }
static long read_getw(FILE* file) {
  long words = 0;
  for (; !feof(file); ++words) sink += getw(file);
  return words;
}
static long read_fgets(FILE* file) {
  long lines = 0;
  for (char line[100]; fgets(line, sizeof line, file) != NULL; ++lines) sink += line[0];
  return lines;
}
static long read_getdelim(FILE* file) {
  long fields = 0;
  char* field = NULL;
  size_t bytes = 0;
  for (; getdelim(&field, &bytes, ' ', file) > 0; ++fields) sink += field[0];
  free(field);
  return fields;
}
static long read_getchar(FILE* file) {
  (void)file;
  long bytes = 0;
  for (int byte; (byte = getchar()) != EOF; ++bytes) sink += byte;
  return bytes;
}
static long read_scanf(FILE* file) {
  (void)file;
  long numbers = 0;
  for (int number; scanf("%d", &number) == 1; ++numbers) sink += number;
  return numbers;
}
__attribute__((format(scanf, 2, 3))) static int scan(FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = vfscanf(file, format, arguments);
  va_end(arguments);
  return result;
}
static long read_vfscanf(FILE* file) {
  long numbers = 0;
  for (int number; scan(file, "%d", &number) == 1; ++numbers) sink += number;
  return numbers;
}
// A row for each conversion that has its own way through the library.
#define SCANNED(name, type, value, format)                                                     \
  static long scan_##name(FILE* file) {                                                        \
    long numbers = 0;                                                                          \
    for (type number; fscanf(file, format, &number) == 1; ++numbers) sink += (long long)value; \
    return numbers;                                                                            \
  }
SCANNED(decimal, int, number, "%d")
SCANNED(any_base, int, number, "%i")
SCANNED(width, int, number, "%5d")
SCANNED(long, long, number, "%ld")
SCANNED(unsigned, unsigned, number, "%u")
SCANNED(hexadecimal, unsigned, number, "%x")
SCANNED(char, char, number, "%c")
SCANNED(short, short, number, "%hd")
SCANNED(float, float, number, "%f")
SCANNED(long_double, long double, number, "%Lf")
SCANNED(double_width, double, number, "%8lf")
static long scan_lines(FILE* file) {
  long lines = 0;
  for (char line[64]; fscanf(file, "%63[^\n]\n", line) == 1; ++lines) sink += line[0];
  return lines;
}
static long scan_counted(FILE* file) {
  long numbers = 0;
  for (int number, at; fscanf(file, "%d%n", &number, &at) == 1; ++numbers) sink += number + at;
  return numbers;
}
static long scan_allocated(FILE* file) {
  long words = 0;
  for (char* word; fscanf(file, "%ms", &word) == 1; ++words) {
    sink += word[0];
    free(word);
  }
  return words;
}
static long read_getline(FILE* file) {
  long lines = 0;
  char* line = NULL;
  size_t bytes = 0;
  for (; getline(&line, &bytes, file) > 0; ++lines) sink += line[37];
  free(line);
  return lines;
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

const struct timed calls_that_read[] = {
    {"fgetc", "r", read_fgetc, 0, 0},
    {"getc", "r", read_getc, 0, 0},
    {"getchar", "r", read_getchar, 1, 0},
    {"getc, ungetc, getc", "r", read_ungetc, 0, 0},
    {"fread of 1 byte", "r", read_1_byte, 0, 0},
    {"fread of 8 bytes", "r", read_8_bytes, 0, 0},
    {"fread of 1 KiB", "r", read_1_kib, 0, 0},
    {"fread of 4 KiB", "r", read_4_kib, 0, 0},
    {"fread of 8 KiB", "r", read_8_kib, 0, 0},
    {"fread of 16 KiB", "r", read_16_kib, 0, 0},
    {"fread of 32 KiB", "r", read_32_kib, 0, 0},
    {"fread of 48 KiB", "r", read_48_kib, 0, 0},
    {"fread of 64 KiB", "r", read_64_kib, 0, 0},
    {"getw", "r", read_getw, 0, 0},
    {"fgets", "r", read_fgets, 0, 0},
    {"fgets of 10 bytes", "r", read_fgets, 0, 10},
    {"getline", "r", read_getline, 0, 0},
    {"getline of 10 bytes", "r", read_getline, 0, 10},
    {"getdelim", "r", read_getdelim, 0, 10},
    {"fscanf %d", "r", scan_decimal, 0, 0},
    {"scanf %d", "r", read_scanf, 1, 0},
    {"vfscanf", "r", read_vfscanf, 0, 0},
    {"fscanf %i", "r", scan_any_base, 0, 0},
    {"fscanf %5d", "r", scan_width, 0, 0},
    {"fscanf %ld", "r", scan_long, 0, 0},
    {"fscanf %hd", "r", scan_short, 0, 0},
    {"fscanf %u", "r", scan_unsigned, 0, 0},
    {"fscanf %x", "r", scan_hexadecimal, 0, 0},
    {"fscanf %c", "r", scan_char, 0, 0},
    {"fscanf %s", "r", read_fscanf_word, 0, 0},
    {"fscanf %ms", "r", scan_allocated, 0, 0},
    {"fscanf %[", "r", scan_lines, 0, 0},
    {"fscanf %d%n", "r", scan_counted, 0, 0},
    {"fscanf %f", "r", scan_float, 0, 0},
    {"fscanf %lf", "r", read_fscanf_double, 0, 0},
    {"fscanf %8lf", "r", scan_double_width, 0, 0},
    {"fscanf %Lf", "r", scan_long_double, 0, 0},
    {"feof, ferror, getc", "r", read_feof, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};
