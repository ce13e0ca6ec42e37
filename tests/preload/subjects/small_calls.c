// usage: small_calls CALL FILE TIMES
//
// Calls one function of stdio TIMES times, or until the file ends: fwrite, fwrite100 (of 100
// bytes), fputs, fprintf, putc, putc_unlocked, puts, which writes to standard output, fread, getc,
// getc_unlocked, fgets, getline, fscanf, which reads a number, or seeks, which reads three bytes by
// getc_unlocked and four by fread at each of several places. "putc_unlocked" calls fputs for a
// line after each 100 bytes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long sum;

static long times;

static void write_to(FILE* stream, const char* call) {
  static const char piece[100] = "a piece";
  for (long i = 0; i < times; ++i) {
    if (strcmp(call, "fwrite") == 0) {
      fwrite(&i, sizeof i, 1, stream);
    } else if (strcmp(call, "fwrite100") == 0) {
      fwrite(piece, sizeof piece, 1, stream);
    } else if (strcmp(call, "fprintf") == 0) {
      fprintf(stream, "%s %100d\n", piece, (int)i);
    } else {
      fputs("a line of text that is written\n", stream);
    }
  }
}

static void put_to(FILE* stream, const char* call) {
  if (strcmp(call, "puts") == 0) {
    for (long i = 0; i < times; ++i) puts("a line");
    return;
  }
  if (strcmp(call, "putc_unlocked") == 0) {
    for (long i = 0; i < times; ++i) {
      putc_unlocked((int)(i & 0xff), stream);
      if (i % 100 == 99) fputs("a line of text that is written\n", stream);
    }
    return;
  }
  for (long i = 0; i < times; ++i) putc((int)(i & 0xff), stream);
}

static void read_from(FILE* stream, const char* call) {
  char line[100];
  if (strcmp(call, "fread") == 0) {
    for (long i = 0; i < times && fread(line, 8, 1, stream) == 1; ++i) sum += line[0];
  } else if (strcmp(call, "getc") == 0) {
    for (long i = 0; i < times; ++i) sum += getc(stream);
  } else if (strcmp(call, "getc_unlocked") == 0) {
    for (long i = 0; i < times; ++i) sum += getc_unlocked(stream);
  } else if (strcmp(call, "seeks") == 0) {
    for (long i = 0; i < times; ++i) {
      fseek(stream, i % 3 * 8192 + i % 2 * 1000, SEEK_SET);
      for (int byte = 0; byte < 3; ++byte) sum += getc_unlocked(stream);
      sum += (long)fread(line, 4, 1, stream);
    }
    while (getc_unlocked(stream) != EOF) ++sum;
  } else if (strcmp(call, "fscanf") == 0) {
    long number = 0;
    for (long i = 0; i < times && fscanf(stream, "%ld", &number) == 1; ++i) sum += number;
  } else if (strcmp(call, "getline") == 0) {
    char* text = NULL;
    size_t bytes = 0;
    for (long i = 0; i < times && getline(&text, &bytes, stream) > 0; ++i) sum += text[0];
    free(text);
  } else {
    for (long i = 0; i < times && fgets(line, sizeof line, stream) != NULL; ++i) sum += line[0];
  }
}

int main(int count, char** words) {
  if (count != 4) return 2;
  const char* const call = words[1];
  const int writes =
      call[0] == 'p' || strncmp(call, "fwrite", 6) == 0 || strncmp(call, "fp", 2) == 0;
  FILE* const stream = fopen(words[2], writes ? "w" : "r");
  if (stream == NULL) return 1;
  times = strtol(words[3], NULL, 10);
  if (!writes) {
    read_from(stream, call);
  } else if (call[0] == 'p') {
    put_to(stream, call);
  } else {
    write_to(stream, call);
  }
  printf("%ld\n", sum);
  return fclose(stream) != 0;
}
