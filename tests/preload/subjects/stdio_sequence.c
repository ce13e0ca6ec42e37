// usage: stdio_sequence SEED OPERATIONS FILE
//
// Makes a random sequence of stdio calls on one file, and prints every result. Two runs with the
// same seed print the same text, whatever lies between this program and the C library.
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t state;

static unsigned below(unsigned limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % limit;
}

// Most sizes are small. Some are near a buffer's size, or larger.
static size_t size(void) {
  switch (below(8)) {
    case 0: return 0;
    case 1: return 4090 + below(12);
    case 2: return below(20000);
    case 3: return below(300);
    default: return 1 + below(12);
  }
}

static char memory[70000];
static enum { nothing, reading, writing } direction;

static void fill(size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) memory[i] = below(9) == 0 ? '\n' : (char)('a' + below(26));
  memory[bytes] = '\0';
}

static unsigned sum(const char* data, size_t bytes) {
  unsigned total = 5381;
  for (size_t i = 0; i < bytes; ++i) total = total * 33 + (unsigned char)data[i];
  return total;
}

static void write_something(FILE* stream) {
  const size_t bytes = size();
  fill(bytes);
  switch (below(7)) {
    case 0: printf("fwrite %zu\n", fwrite(memory, 1, bytes, stream)); break;
    case 1: printf("fwrite items %zu\n", fwrite(memory, 3, bytes / 3, stream)); break;
    case 2: printf("fputs %d\n", fputs(memory, stream)); break;
    case 3: printf("fputc %d\n", fputc((int)below(300), stream)); break;
    case 4: printf("putc_unlocked %d\n", putc_unlocked((int)below(300), stream)); break;
    case 5:
      printf("fprintf %d\n", fprintf(stream, "%.*s|%u", (int)bytes, memory, below(1000)));
      break;
    default: printf("fwrite_unlocked %zu\n", fwrite_unlocked(memory, 1, bytes, stream)); break;
  }
}

// ISO C promises that one byte can be put back. glibc takes many, also before the first read.
static void put_back(FILE* stream) {
  if (below(4) == 0) {
    for (unsigned i = 0; i <= below(3); ++i) printf("ungetc %d\n", ungetc((int)below(256), stream));
    return;
  }
  const int byte = getc(stream);
  if (byte != EOF) printf("ungetc %d\n", ungetc(below(2) == 0 ? byte : (int)below(256), stream));
}

static void read_line(FILE* stream) {
  static char* line;
  static size_t line_bytes;
  const ssize_t got = getdelim(&line, &line_bytes, below(4) == 0 ? 'e' : '\n', stream);
  printf("getdelim %zd %zu %u\n", got, line_bytes, got > 0 ? sum(line, (size_t)got + 1) : 0);
}

static void read_something(FILE* stream) {
  const size_t bytes = size();
  switch (below(7)) {
    case 0:
    case 1: {
      const size_t got = fread(memory, 1, bytes, stream);
      printf("fread %zu %u\n", got, sum(memory, got));
      break;
    }
    case 2: printf("fgetc %d\n", fgetc(stream)); break;
    case 3: printf("getc_unlocked %d\n", getc_unlocked(stream)); break;
    case 4: {
      const char* const line = fgets(memory, (int)bytes, stream);
      printf("fgets %u\n", line == NULL ? 0 : sum(line, strlen(line)));
      break;
    }
    case 5: put_back(stream); break;
    default: read_line(stream); break;
  }
}

static void move(FILE* stream) {
  switch (below(6)) {
    case 0: printf("fseek set %d\n", fseek(stream, (long)below(60000), SEEK_SET)); break;
    case 1: printf("fseek current %d\n", fseek(stream, (long)below(400) - 200, SEEK_CUR)); break;
    case 2: printf("fseek end %d\n", fseek(stream, -(long)below(300), SEEK_END)); break;
    case 3:
      rewind(stream);
      puts("rewind");
      break;
    case 4: printf("fseeko %d\n", fseeko(stream, (off_t)below(5000) - 10, SEEK_SET)); break;
    default: break;
  }
  printf("ftell %ld\n", ftell(stream));
}

// Prints the file's contents as other processes see them.
static void look(FILE* stream, const char* path) {
  struct stat status;
  switch (below(6)) {
    case 0: printf("fflush %d\n", fflush(stream)); break;
    case 1:
      if (stat(path, &status) == 0) printf("stat %lld\n", (long long)status.st_size);
      break;
    case 2: printf("lseek %lld\n", (long long)lseek(fileno(stream), 0, SEEK_CUR)); break;
    case 3: {
      const int descriptor = open(path, O_RDONLY);
      const ssize_t got = pread(descriptor, memory, 60000, (off_t)below(3000));
      printf("pread %zd %u\n", got, got > 0 ? sum(memory, (size_t)got) : 0);
      close(descriptor);
      break;
    }
    case 4:
      printf("flags %d %d\n", feof(stream) != 0, ferror(stream) != 0);
      if (below(3) == 0) clearerr(stream);
      break;
    default: printf("pending %zu\n", (size_t)0); break;
  }
}

static FILE* reopen(FILE* stream, const char* path) {
  static char own[70000];
  static const char* const modes[] = {"r", "r", "r+", "w", "w", "w+", "a", "a+"};
  direction = nothing;
  if (stream != NULL) printf("fclose %d\n", fclose(stream));
  const char* const mode = modes[below(sizeof modes / sizeof *modes)];
  stream = fopen(path, mode);
  printf("fopen %s %d\n", mode, stream != NULL);
  static const int kinds[] = {_IOFBF, _IOLBF, _IONBF};
  if (below(4) == 0) setvbuf(stream, own, kinds[below(3)], 1 + below(60000));
  return stream;
}

// C requires a call that sets the position between reading and writing.
static void turn(FILE* stream, int wanted) {
  if (direction != nothing && direction != wanted) fseek(stream, 0, SEEK_CUR);
  direction = wanted;
}

// Goes on in one direction for so long that the stream counts as large.
static void go_on(FILE* stream) {
  const unsigned kind = below(3);
  unsigned ended = 0;
  turn(stream, kind == 0 ? writing : reading);
  for (unsigned i = below(20000); i > 0; --i) {
    if (kind == 0) ended += fputs("a line that is written\n", stream) == EOF;
    if (kind == 1) ended += fgets(memory, 200, stream) == NULL;
    if (kind == 2) ended += getc(stream) == EOF;
  }
  printf("ended %u\n", ended);
  printf("after many %ld %u\n", ftell(stream), sum(memory, 20));
}

int main(int count, char** words) {
  if (count != 4) return 2;
  state = strtoull(words[1], NULL, 10) * 2654435761u + 1;
  const char* const path = words[3];
  FILE* const seed = fopen(path, "w");
  for (int i = 0; i < 30000; ++i) fprintf(seed, "%d line of the file\n", i);
  fclose(seed);
  FILE* stream = reopen(NULL, path);
  for (long i = strtol(words[2], NULL, 10); i > 0; --i) {
    errno = 0;
    switch (below(40)) {
      case 0: stream = reopen(stream, path); break;
      case 1:
      case 2: go_on(stream); break;
      case 3:
      case 4:
      case 5: look(stream, path); break;
      case 6:
      case 7:
      case 8:
      case 9:
      case 10:
      case 11:
      case 12: move(stream); break;
      default:
        if (below(2) == 0) {
          turn(stream, writing);
          write_something(stream);
        } else {
          turn(stream, reading);
          read_something(stream);
        }
    }
    if (errno != 0) printf("errno %d\n", errno);
  }
  printf("fclose %d\n", fclose(stream));
  return 0;
}
