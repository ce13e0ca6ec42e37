// usage: edges CASE
//
// Each case reaches the edge of a buffer, or moves a position that a stream has read behind. A case
// prints its observations, which are the same every time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

enum { file_bytes = 100000 };

static FILE* stream;  // reads "file", whose bytes differ from one place to the next

static void open_file(void) {
  stream = fopen("file", "w");
  for (int i = 0; i < file_bytes / 10; ++i) fprintf(stream, "%09d\n", i);
  fclose(stream);
  stream = fopen("file", "r");
}

static void tell_line(const char* when) {
  char line[32] = "none\n";
  if (fgets(line, sizeof line, stream) == NULL) printf("end ");
  printf("%s: %s", when, line);
}

// ---- room for a line ----

// Lines of 10 bytes into `room` bytes. The byte behind them must stay.
static void lines_in(int room) {
  char line[32];
  memset(line, '#', sizeof line);
  printf("%d bytes: %d", room, fgets(line, room, stream) == line);
  fwrite(line, 1, sizeof line, stdout);
  printf(" at %ld\n", ftell(stream));
}

static void room_of_fgets(void) {
  open_file();
  getc(stream);
  for (int room = 1; room < 14; ++room) lines_in(room);
}

static void room_of_getdelim(void) {
  open_file();
  getc(stream);
  tell_line("first");
  for (size_t room = 1; room < 14; ++room) {
    size_t line_bytes = room;
    char* line = malloc(line_bytes);
    const ssize_t got = getline(&line, &line_bytes, stream);
    printf("%zu bytes: %zd %d %s", room, got, line_bytes == room, line);
    free(line);
  }
}

// ---- streams that no read has filled ----

// fseek() fills the buffer, and gives the stream no orientation. Some of the calls behind it do.
static void orientations(void) {
  char bytes[4];
  for (int call = 0; call < 5; ++call) {
    open_file();
    fseek(stream, 0, SEEK_END);
    fseek(stream, 5000, SEEK_SET);
    if (call == 1) getc(stream);
    if (call == 2) fread(bytes, 1, 2, stream);
    if (call == 3) fgets(bytes, 3, stream);
    if (call == 4) fseek(stream, 4990, SEEK_SET);
    printf("%d: %d at %ld\n", call, fwide(stream, 0), ftell(stream));
    char* line = NULL;
    size_t line_bytes = 0;
    getline(&line, &line_bytes, stream);
    if (call == 1) getline(&line, &line_bytes, stream);
    printf("%d: %d %s", call, fwide(stream, 0), line);
    free(line);
    fclose(stream);
  }
}

// ---- positions that others move ----

// The C library knows where the descriptor is after the first seek.
static void read_and_know_position(void) {
  open_file();
  printf("fseek %d\n", fseek(stream, 10, SEEK_SET));
  tell_line("first");
}

// The bytes behind the buffer, read from where the seek has put the descriptor.
static void go_back_and_read(void) {
  static char content[file_bytes / 2];
  printf("fseek %d\n", fseek(stream, 20, SEEK_SET));
  const size_t got = fread(content, 1, sizeof content, stream);
  printf("%zu: %.9s ... %.9s\n", got, content, content + got - 10);
  tell_line("next");
}

static void moved_by_descriptor(void) {
  read_and_know_position();
  const int descriptor = fileno(stream);
  printf("%ld\n", (long)lseek(descriptor, 90000, SEEK_SET));
  go_back_and_read();
}

static void moved_by_child(void) {
  read_and_know_position();
  fflush(stdout);
  const pid_t process = fork();
  if (process == 0) {
    fseek(stream, 90000, SEEK_SET);
    tell_line("child");
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(process, &status, 0);
  go_back_and_read();
}

#define CASE(name) \
  { #name, name }
static const struct {
  const char* name;
  void (*run)(void);
} cases[] = {
    CASE(room_of_fgets),       CASE(room_of_getdelim), CASE(orientations),
    CASE(moved_by_descriptor), CASE(moved_by_child),
};

int main(int count, char** words) {
  for (size_t i = 0; count == 2 && i < sizeof cases / sizeof *cases; ++i) {
    if (strcmp(words[1], cases[i].name) != 0) continue;
    cases[i].run();
    return 0;
  }
  return 2;
}
