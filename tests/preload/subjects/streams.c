// usage: streams HOW FILE
//
// Uses streams in other ways than plain fwrite or fread.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

static FILE* stream;

static void* write_many(void* text) {
  for (int i = 0; i < 20000; ++i) fprintf(stream, "%s %d\n", (const char*)text, i);
  for (int i = 0; i < 20000; ++i) fputs((const char*)text, stream);
  return NULL;
}

static void in_two_threads(const char* name) {
  stream = fopen(name, "w");
  pthread_t thread;
  pthread_create(&thread, NULL, write_many, "one of them");
  write_many("the other, which is longer");
  pthread_join(thread, NULL);
  fclose(stream);
}

static pthread_key_t at_end_of_thread;

static void put_byte(void* byte) { putc(*(char*)byte, stream); }

static void* put_bytes(void* byte) {
  for (int i = 0; i < 100; ++i) put_byte(byte);
  pthread_setspecific(at_end_of_thread, byte);
  return NULL;
}

static void at_the_end_of_a_thread(const char* name) {
  stream = fopen(name, "w");
  pthread_key_create(&at_end_of_thread, put_byte);
  static char byte = '.';
  pthread_t thread;
  pthread_create(&thread, NULL, put_bytes, &byte);
  pthread_join(thread, NULL);
  fclose(stream);
}

// The stream takes no bytes.
static void by_wide_lines(const char* name) {
  stream = fopen(name, "w");
  setvbuf(stream, NULL, _IOLBF, 4096);
  fputwc(L'.', stream);
  for (int i = 0; i < 100; ++i) fputs("some bytes", stream);
  fclose(stream);
}

// No hook sees the words.
static void by_words_in_lines(const char* name) {
  stream = fopen(name, "w");
  setvbuf(stream, NULL, _IOLBF, 4096);
  for (int i = 0; i < 100; ++i) {
    putw(i, stream);
    putc_unlocked('.', stream);
  }
  fclose(stream);
}

static void flush_all(const char* name) {
  stream = fopen(name, "w");
  for (int i = 0; i < 100; ++i) {
    fputs("a line\n", stream);
    fflush(NULL);
  }
}

static void write_lines(FILE* to, int lines, const char* text) {
  for (int i = 0; i < lines; ++i) {
    fputs(text, to);
    fputc('\n', to);
  }
  fclose(to);
}

static void read_lines(FILE* from) {
  char line[64];
  while (fgets(line, sizeof line, from) != NULL) continue;
  fclose(from);
}

static void in_memory_and_file(const char* name) {
  char* text = NULL;
  size_t bytes = 0;
  write_lines(open_memstream(&text, &bytes), 10000, name);
  read_lines(fmemopen(text, bytes, "r"));
  write_lines(fopen(name, "w"), 10, name);
  read_lines(fopen(name, "r"));
}

static void rewound(const char* name) {
  stream = fopen(name, "w+");
  for (int i = 0; i < 500; ++i) {
    fputs("a line\n", stream);
    if (i % 100 == 0) rewind(stream);
    if (ftell(stream) < 0) exit(1);
  }
  fpos_t position;
  fgetpos(stream, &position);
  fsetpos(stream, &position);
  fclose(stream);
}

// A seek to the end of the buffer fills it again with the same bytes, also without a move.
static void read_to_the_end_again(const char* name) {
  char text[3900] = "some bytes";
  stream = fopen(name, "w+");
  fwrite(text, 1, sizeof text, stream);
  rewind(stream);
  if (fread(text, 1, 10, stream) != 10) exit(1);
  fseek(stream, 0, SEEK_END);
  fseek(stream, 0, SEEK_CUR);
  fseek(stream, 100, SEEK_SET);
  fwrite(text, 1, 500, stream);
  fclose(stream);
}

static void scanned(const char* name) {
  stream = fopen(name, "w");
  for (int i = 0; i < 20000; ++i) fprintf(stream, " %d", i);
  fclose(stream);
  stream = fopen(name, "r");
  int number = 0;
  while (fscanf(stream, "%d", &number) == 1) continue;
  ungetc('x', stream);
  fclose(stream);
}

// HOW ends each line of a line-buffered stream; the stream holds a part of the line before.
static void by_lines(const char* how, const char* name) {
  stream = freopen(name, "w", stdout);
  setvbuf(stream, NULL, _IOLBF, 4096);
  char line[64];
  const int bytes = snprintf(line, sizeof line, "%s\n", name);
  for (int i = 0; i < 1000; ++i) {
    fputs(name, stream);
    if (strcmp(how, "putc") == 0) putc('\n', stream);
    if (strcmp(how, "puts") == 0) puts(name);
    if (strcmp(how, "fputs") == 0) fputs(line, stream);
    if (strcmp(how, "fwrite") == 0) fwrite(line, 1, (size_t)bytes, stream);
    if (strcmp(how, "printf") == 0) fprintf(stream, "%d %s", i, line);
    if (strcmp(how, "bytes") == 0 && putc('.', stream) == '.') fputs(line, stream);
    if (strcmp(how, "within") == 0) fprintf(stream, "%s%s", line, name);
  }
  fclose(stream);
}

static void by_other_calls(const char* name) {
  const int out = creat(name, 0644);
  for (int i = 0; i < 100; ++i) dprintf(out, "line %d\n", i);
  char text[] = "some bytes";
  const struct iovec piece = {text, sizeof text};
  if (pwritev(out, &piece, 1, 5000) < 0) exit(1);
  const int in = open(name, O_RDONLY);
  if (preadv(in, &piece, 1, 5000) < 0 || sendfile(out, in, NULL, 100) < 0) exit(1);
  if (copy_file_range(in, NULL, out, NULL, 100, 0) < 0) exit(1);
  if (syscall(SYS_copy_file_range, in, NULL, out, NULL, 100, 0) < 0) exit(1);
}

static void by_pipe(void) {
  FILE* const pipe = popen("cat", "w");
  fputs("through a pipe\n", pipe);
  pclose(pipe);
}

static void reopened(const char* name) {
  stream = fopen(name, "w");
  fputs("ten bytes\n", stream);
  if (freopen("other", "w", stream) == NULL) exit(1);
  fputs("more\n", stream);
  fclose(stream);
}

// One call closes several descriptors. The number of one of them then stands for another file.
static void closed_together(const char* name, int all) {
  const int other = creat("other", 0644);
  const int first = creat(name, 0644);
  if (write(first, "of the first", 12) != 12) exit(1);
  if (all) {
    closefrom(first);
  } else {
    close_range((unsigned)first, (unsigned)first, 0);
  }
  if (dup(other) != first || write(first, "more", 4) != 4) exit(1);
}

static void signalled(void) {
  signal(SIGUSR1, SIG_IGN);
  raise(SIGUSR1);
  execl("/does/not/exist", "no", (char*)NULL);
  raise(SIGKILL);
}

int main(int count, char** words) {
  if (count != 3) return 2;
  const char* const how = words[1];
  if (strcmp(how, "threads") == 0) in_two_threads(words[2]);
  if (strcmp(how, "thread-ends") == 0) at_the_end_of_a_thread(words[2]);
  if (strcmp(how, "words") == 0) by_words_in_lines(words[2]);
  if (strcmp(how, "wide") == 0) by_wide_lines(words[2]);
  if (strcmp(how, "flush-all") == 0) flush_all(words[2]);
  if (strcmp(how, "memory") == 0) in_memory_and_file(words[2]);
  if (strcmp(how, "rewind") == 0) rewound(words[2]);
  if (strcmp(how, "end") == 0) read_to_the_end_again(words[2]);
  if (strcmp(how, "scan") == 0) scanned(words[2]);
  if (strstr("putc puts fputs fwrite printf bytes within", how) != NULL) by_lines(how, words[2]);
  if (strcmp(how, "others") == 0) by_other_calls(words[2]);
  if (strcmp(how, "pipe") == 0) by_pipe();
  if (strcmp(how, "reopen") == 0) reopened(words[2]);
  if (strncmp(how, "close", 5) == 0) closed_together(words[2], strcmp(how, "closefrom") == 0);
  if (strcmp(how, "signals") == 0) signalled();
  return 0;
}
