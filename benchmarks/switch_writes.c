// The rows of switch_calls.c for calls that write.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

#include "switch_calls.h"

static int written;

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
static long write_blocks(FILE* file, size_t bytes) {
  static char block[65536];
  const long blocks = (long)(13107200 / bytes);
  for (long i = 0; i < blocks; ++i) fwrite(block, 1, bytes, file);
  return blocks;
}
static long write_4_kib(FILE* file) { return write_blocks(file, 4096); }
static long write_16_kib(FILE* file) { return write_blocks(file, 16384); }
static long write_32_kib(FILE* file) { return write_blocks(file, 32768); }
static long write_48_kib(FILE* file) { return write_blocks(file, 49152); }
static long write_64_kib(FILE* file) { return write_blocks(file, 65536); }
static long write_putw(FILE* file) {
  for (int i = 0; i < calls; ++i) putw(i, file);
  return calls;
}
// A word is not the end of a line.
static long write_words(FILE* file) {
  for (int i = 0; i < calls / 8; ++i) fwrite(&"words "[i & 1], 1, 5, file);
  return calls / 8;
}
static long write_words_of_lines(FILE* file) {
  setvbuf(file, NULL, _IOLBF, 0);
  return write_words(file);
}
static long write_fputc_of_lines(FILE* file) {
  setvbuf(file, NULL, _IOLBF, 0);
  for (int i = 0; i < calls / 8; ++i) fputc("abcdefgh"[i & 7], file);
  return calls / 8;
}
static long write_lines(FILE* file) {
  setvbuf(file, NULL, _IOLBF, 0);
  for (int i = 0; i < calls / 20; ++i) fputs("a line of text\n", file);
  return calls / 20;
}
static long print_lines(FILE* file) {
  setvbuf(file, NULL, _IOLBF, 0);
  for (int i = 0; i < calls / 20; ++i) fprintf(file, "line %d\n", i);
  return calls / 20;
}
static long write_unbuffered(FILE* file) {
  setvbuf(file, NULL, _IONBF, 0);
  for (int i = 0; i < calls / 20; ++i) fwrite("word", 1, 4, file);
  return calls / 20;
}
static long write_fputc_unbuffered(FILE* file) {
  setvbuf(file, NULL, _IONBF, 0);
  for (int i = 0; i < calls / 20; ++i) fputc(i, file);
  return calls / 20;
}
static long print_unbuffered(FILE* file) {
  setvbuf(file, NULL, _IONBF, 0);
  for (int i = 0; i < calls / 20; ++i) fprintf(file, "word %d ", i);
  return calls / 20;
}
static const char* texts[] = {"a line of text\n", "a second line\n", "and a third one, longer\n"};
static long write_fputs_unknown(FILE* file) {
  for (int i = 0; i < calls; ++i) fputs(texts[i % 3], file);
  return calls;
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
// A row for each conversion that has its own way through the library.
#define PRINTED(name, count, ...)                                         \
  static long print_##name(FILE* file) {                                  \
    for (int i = 0; i < calls / (count); ++i) fprintf(file, __VA_ARGS__); \
    return calls / (count);                                               \
  }
static const wchar_t wide[] = L"text";
PRINTED(char, 2, "%c", i)
PRINTED(literal, 2, "a line of text\n")
PRINTED(string, 2, "%s", texts[i % 3])
PRINTED(two, 2, "%s %d\n", "text", i)
PRINTED(escaped, 2, "100%%\n")
PRINTED(unsigned, 2, "%u ", (unsigned)i)
PRINTED(long, 2, "%ld ", i * 12345L)
PRINTED(hexadecimal, 2, "%x ", (unsigned)i)
PRINTED(filled, 2, "%08x ", (unsigned)i)
PRINTED(octal, 2, "%o ", (unsigned)i)
PRINTED(pointer, 2, "%p ", (const void*)texts)
PRINTED(precision, 2, "%.3s ", "text")
PRINTED(scientific, 8, "%e ", i * 0.37)
PRINTED(long_double, 8, "%Lf ", i * 0.37L)
PRINTED(binary_double, 8, "%a ", i * 0.37)
PRINTED(wide, 8, "%ls ", wide)
PRINTED(wide_char, 8, "%lc ", (wint_t)L'a')
PRINTED(grouped, 8, "%'d ", i)
PRINTED(error, 8, "%m ")
PRINTED(positional, 8, "%2$d %1$s ", "text", i)
PRINTED(written, 8, "%d%n ", i, &written)
PRINTED(after_text, 8, "a long text before it: %d %s %a\n", i, "text", i * 0.37)
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
  for (int i = 0; i < calls / 10; ++i) {
    putc(i, file);
    sink += ftell(file);
  }
  return calls / 10;
}

static long write_puts(FILE* file) {
  (void)file;
  for (int i = 0; i < calls / 2; ++i) puts(texts[i % 3]);
  return calls / 2;
}
static long write_putchar(FILE* file) {
  (void)file;
  for (int i = 0; i < calls; ++i) putchar(i);
  return calls;
}
static long write_printf(FILE* file) {
  (void)file;
  for (int i = 0; i < calls / 2; ++i) printf("%d %s\n", i, "text");
  return calls / 2;
}
static long write_printf_literal(FILE* file) {
  (void)file;
  for (int i = 0; i < calls / 2; ++i) printf("a line of text\n");
  return calls / 2;
}
static long write_printf_char(FILE* file) {
  (void)file;
  for (int i = 0; i < calls / 2; ++i) printf("%c", i);
  return calls / 2;
}
static long write_printf_string(FILE* file) {
  (void)file;
  for (int i = 0; i < calls / 2; ++i) printf("%s\n", texts[i % 3]);
  return calls / 2;
}
__attribute__((format(printf, 1, 2))) static void print_out(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}
static long write_vprintf(FILE* file) {
  (void)file;
  for (int i = 0; i < calls / 2; ++i) print_out("%d %s\n", i, "text");
  return calls / 2;
}
static long write_perror(FILE* file) {
  (void)file;
  for (int i = 0; i < calls / 20; ++i) perror("name");
  return calls / 20;
}
static long write_fflush_alone(FILE* file) {
  for (int i = 0; i < calls; ++i) fflush(file);
  return calls;
}

const struct timed calls_that_write[] = {
    {"fputc", "w", write_fputc, 0, 0},
    {"putc", "w", write_putc, 0, 0},
    {"fwrite of 1 byte", "w", write_1_byte, 0, 0},
    {"fwrite of 8 bytes", "w", write_8_bytes, 0, 0},
    {"fwrite of 4 KiB", "w", write_4_kib, 0, 0},
    {"fwrite of 16 KiB", "w", write_16_kib, 0, 0},
    {"fwrite of 32 KiB", "w", write_32_kib, 0, 0},
    {"fwrite of 48 KiB", "w", write_48_kib, 0, 0},
    {"fwrite of 64 KiB", "w", write_64_kib, 0, 0},
    {"fputs", "w", write_fputs, 0, 0},
    {"fputs of a variable", "w", write_fputs_unknown, 0, 0},
    {"putw", "w", write_putw, 0, 0},
    {"fprintf %s\\n", "w", write_fprintf_text, 0, 0},
    {"fprintf %s", "w", print_string, 0, 0},
    {"fprintf %c", "w", print_char, 0, 0},
    {"fprintf of text alone", "w", print_literal, 0, 0},
    {"fprintf %%", "w", print_escaped, 0, 0},
    {"fprintf %d", "w", write_fprintf_number, 0, 0},
    {"fprintf %s %d", "w", print_two, 0, 0},
    {"fprintf %u", "w", print_unsigned, 0, 0},
    {"fprintf %ld", "w", print_long, 0, 0},
    {"fprintf %x", "w", print_hexadecimal, 0, 0},
    {"fprintf %08x", "w", print_filled, 0, 0},
    {"fprintf %o", "w", print_octal, 0, 0},
    {"fprintf %p", "w", print_pointer, 0, 0},
    {"fprintf %.3s", "w", print_precision, 0, 0},
    {"fprintf %.3f", "w", write_fprintf_double, 0, 0},
    {"fprintf %5d %-8s", "w", write_fprintf_width, 0, 0},
    {"fprintf %g", "w", write_fprintf_shortest, 0, 0},
    {"fprintf %e", "w", print_scientific, 0, 0},
    {"fprintf %Lf", "w", print_long_double, 0, 0},
    {"fprintf %a", "w", print_binary_double, 0, 0},
    {"fprintf %ls", "w", print_wide, 0, 0},
    {"fprintf %lc", "w", print_wide_char, 0, 0},
    {"fprintf %'d", "w", print_grouped, 0, 0},
    {"fprintf %m", "w", print_error, 0, 0},
    {"fprintf %2$d %1$s", "w", print_positional, 0, 0},
    {"fprintf %d%n", "w", print_written, 0, 0},
    {"fprintf text %d %s %a", "w", print_after_text, 0, 0},
    {"vfprintf", "w", write_vfprintf, 0, 0},
    {"puts", "w", write_puts, 1, 0},
    {"putchar", "w", write_putchar, 1, 0},
    {"printf", "w", write_printf, 1, 0},
    {"printf of text alone", "w", write_printf_literal, 1, 0},
    {"printf %c", "w", write_printf_char, 1, 0},
    {"printf %s\\n", "w", write_printf_string, 1, 0},
    {"vprintf", "w", write_vprintf, 1, 0},
    {"perror", "w", write_perror, 2, 0},
    {"fwrite of a word", "w", write_words, 0, 0},
    {"fwrite of a word, line-buffered", "w", write_words_of_lines, 0, 0},
    {"fputc, line-buffered", "w", write_fputc_of_lines, 0, 0},
    {"fputs of a line, line-buffered", "w", write_lines, 0, 0},
    {"fprintf of a line, line-buffered", "w", print_lines, 0, 0},
    {"fwrite of a word, unbuffered", "w", write_unbuffered, 0, 0},
    {"fputc, unbuffered", "w", write_fputc_unbuffered, 0, 0},
    {"fprintf, unbuffered", "w", print_unbuffered, 0, 0},
    {"fputs, fflush", "w", write_and_flush, 0, 0},
    {"fflush", "w", write_fflush_alone, 0, 0},
    {"putc, ftell", "w", write_and_tell, 0, 0},
    // Without the time that the kernel takes to give a new file its pages.
    {"fwrite of 1 byte over old ones", "r+", write_1_byte, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};
