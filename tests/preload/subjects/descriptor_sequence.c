// usage: descriptor_sequence SEED OPERATIONS FILE
//
// Makes a random sequence of system calls on one file, mostly small writes, and prints every
// result.
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

static uint64_t state;

static unsigned below(unsigned limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % limit;
}

static char memory[20000];
static const char* path;

static unsigned sum_of_file(void) {
  static char content[1 << 20];
  const int descriptor = open(path, O_RDONLY);
  unsigned sum = 5381;
  ssize_t got = 0;
  while ((got = read(descriptor, content, sizeof content)) > 0) {
    for (ssize_t i = 0; i < got; ++i) sum = sum * 33 + (unsigned char)content[i];
  }
  close(descriptor);
  return sum;
}

static void write_something(int descriptor) {
  const size_t bytes = below(10) == 0 ? below(9000) : below(60);
  for (size_t i = 0; i < bytes; ++i) memory[i] = (char)('a' + below(26));
  if (below(3) > 0) {
    printf("write %zd\n", write(descriptor, memory, bytes));
    return;
  }
  struct iovec pieces[] = {{memory, bytes / 2}, {memory + bytes / 2, bytes - bytes / 2}};
  printf("writev %zd\n", writev(descriptor, pieces, 2));
}

static int reopen(int descriptor) {
  static const int flags[] = {0, 0, 0, O_TRUNC, O_APPEND};
  if (descriptor >= 0) printf("close %d\n", close(descriptor));
  const int mode = below(4) == 0 ? O_RDWR : O_WRONLY;
  return open(path, mode | O_CREAT | flags[below(5)], 0644);
}

static void fork_and_write(int descriptor) {
  const pid_t process = fork();
  if (process == 0) {
    write(descriptor, "child", 5);
    _exit(0);
  }
  int status = 0;
  waitpid(process, &status, 0);
  printf("child %d\n", status);
}

static void mix_with_stream(void) {
  FILE* const stream = fopen(path, "w");
  const int descriptor = fileno(stream);
  const int wide = below(3) == 0;
  for (int i = below(3000); i > 0; --i) {
    switch (wide && below(20) > 0 ? 4 : below(4)) {
      case 4: fputws(L"wide characters|", stream); break;
      case 0:
        if (!wide) fprintf(stream, "%d printed|", i);
        break;
      case 1:
        if (!wide) fputs("put|", stream);
        break;
      case 2: write(descriptor, "written|", 8); break;
      default:
        if (below(3) == 0) fflush(stream);
    }
  }
  fclose(stream);
  printf("mixed %u\n", sum_of_file());
}

// Several descriptors stand for one file. The last write to a byte decides its value.
static void write_by_several(void) {
  int descriptors[3];
  for (int i = 0; i < 3; ++i) {
    descriptors[i] = open(path, O_WRONLY | O_CREAT | (below(3) == 0 ? O_APPEND : 0), 0644);
  }
  for (int i = below(200); i > 0; --i) {
    char text[32];
    const int bytes = snprintf(text, sizeof text, "%d,", i);
    write(descriptors[below(3)], text, (size_t)bytes);
  }
  for (int i = 0; i < 3; ++i) close(descriptors[i]);
  printf("several %u\n", sum_of_file());
}

// The descriptor stands for another file for a while. Other descriptors write to this file too.
static void become_output(int descriptor) {
  const int before = dup(descriptor);
  dup2(STDOUT_FILENO, descriptor);
  write(descriptor, "first\n", 6);
  printf("second\n");
  write(descriptor, "third\n", 6);
  dup2(before, descriptor);
  close(before);
}

static void look(int descriptor) {
  struct stat status;
  switch (below(13)) {
    case 0: printf("lseek %ld\n", (long)lseek(descriptor, 0, SEEK_CUR)); break;
    case 1: printf("lseek %ld\n", (long)lseek(descriptor, below(5000), SEEK_SET)); break;
    case 2:
      if (fstat(descriptor, &status) == 0) printf("fstat %ld\n", (long)status.st_size);
      break;
    case 3:
      if (stat(path, &status) == 0) printf("stat %ld\n", (long)status.st_size);
      break;
    case 4: printf("sum %u\n", sum_of_file()); break;
    case 5: printf("ftruncate %d\n", ftruncate(descriptor, below(9000))); break;
    case 6: printf("pwrite %zd\n", pwrite(descriptor, "pwritten", 8, below(9000))); break;
    case 7: {
      const int copy = dup(descriptor);
      printf("dup %zd\n", write(copy, "duplicate", 9));
      close(copy);
      break;
    }
    case 8: printf("fdatasync %d\n", fdatasync(descriptor)); break;
    case 9: fork_and_write(descriptor); break;
    case 10: printf("system %d\n", system("wc -c < file > /dev/null")); break;
    case 11: become_output(descriptor); break;
    default: printf("fcntl %d\n", fcntl(descriptor, F_GETFL)); break;
  }
}

int main(int count, char** words) {
  if (count != 4) return 2;
  state = strtoull(words[1], NULL, 10) * 2654435761u + 1;
  path = words[3];
  setvbuf(stdout, NULL, _IOLBF, 0);
  int descriptor = reopen(-1);
  for (long i = strtol(words[2], NULL, 10); i > 0; --i) {
    errno = 0;
    switch (below(60)) {
      case 0: descriptor = reopen(descriptor); break;
      case 1: look(descriptor); break;
      case 2:
        close(descriptor);
        if (below(2) == 0) {
          mix_with_stream();
        } else {
          write_by_several();
        }
        descriptor = reopen(-1);
        break;
      default: write_something(descriptor); break;
    }
    if (errno != 0) printf("errno %d\n", errno);
  }
  printf("close %d\n", close(descriptor));
  printf("sum %u\n", sum_of_file());
  return 0;
}
