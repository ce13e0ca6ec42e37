// usage: copied_descriptors FILE TIMES
//
// Writes TIMES records to FILE by descriptors that dup, dup2, dup3 and fcntl have made, sets and
// takes back O_APPEND and a lock between the records, and prints every result.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void say(const char* call, long result) {
  printf("%s %ld %s\n", call, result, result < 0 ? strerror(errno) : "");
}

static void put(int descriptor, const char* text) {
  say("write", write(descriptor, text, strlen(text)));
}

static void write_by_copies(int descriptor, int other) {
  const int copy = dup(descriptor);
  put(copy, "by dup\n");
  put(descriptor, "between\n");
  say("dup2", dup2(descriptor, other));
  put(other, "by dup2\n");
  say("dup3", dup3(descriptor, copy, O_CLOEXEC));
  put(copy, "by dup3\n");
  say("F_GETFD", fcntl(copy, F_GETFD));
  const int high = fcntl(descriptor, F_DUPFD, 100);
  say("F_DUPFD", high);
  put(high, "by F_DUPFD\n");
  const int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, high + 1);
  say("F_DUPFD_CLOEXEC", higher);
  put(higher, "by F_DUPFD_CLOEXEC\n");
  close(higher);
  close(high);
  close(copy);
}

static void append(int descriptor) {
  say("lseek", lseek(descriptor, 3, SEEK_SET));
  say("F_SETFL", fcntl(descriptor, F_SETFL, O_APPEND));
  say("F_GETFL", fcntl(descriptor, F_GETFL));
  put(descriptor, "at the end\n");
  put(descriptor, "once more\n");
  say("F_SETFL", fcntl(descriptor, F_SETFL, 0));
  say("lseek", lseek(descriptor, 3, SEEK_SET));
  put(descriptor, "inside\n");
  say("lseek", lseek(descriptor, 0, SEEK_END));
}

static void lock(int descriptor) {
  struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 2, .l_len = 3};
  say("F_SETLK", fcntl(descriptor, F_SETLK, &range));
  put(descriptor, "locked\n");
  range.l_type = F_UNLCK;
  say("F_SETLK", fcntl(descriptor, F_SETLK, &range));
}

int main(int count, char** words) {
  if (count != 3) return 2;
  const int descriptor = open(words[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (descriptor < 0) return 1;
  for (long i = strtol(words[2], NULL, 10); i > 0; --i) {
    const int other = open("other", O_WRONLY | O_CREAT, 0644);
    put(other, "to the other file\n");
    put(descriptor, "a record\n");
    write_by_copies(descriptor, other);
    append(descriptor);
    lock(descriptor);
    close(other);
    say("dup of a closed one", dup(other));
    say("dup2 of a closed one", dup2(other, 50));
    say("fcntl of a closed one", fcntl(other, F_GETFL));
    say("a command that does not exist", fcntl(descriptor, -1));
  }
  return close(descriptor) != 0;
}
