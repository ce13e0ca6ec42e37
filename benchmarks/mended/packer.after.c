/* Packs the files named in `manifest` into an archive (in the manner of tar, with a checksum for
 * each file), then lists it and extracts those that match a pattern. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 512

struct header {
  char name[100];
  char size[12];
  char checksum[12];
  char filler[BLOCK - 124];
};

static void die(const char* what) {
  fprintf(stderr, "packer: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int must_open(const char* path, int flags) {
  int fd = open(path, flags, 0644);
  if (fd < 0) die(path);
  return fd;
}

/* Reads until the buffer is full or the file ends. */
static size_t read_full(int fd, void* buffer, size_t size) {
  size_t have = 0;
  while (have < size) {
    ssize_t got = read(fd, (char*)buffer + have, size - have);
    if (got < 0) die("read");
    if (got == 0) break;
    have += (size_t)got;
  }
  return have;
}

static void write_full(int fd, const void* buffer, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t put = write(fd, (const char*)buffer + done, size - done);
    if (put < 0) die("write");
    done += (size_t)put;
  }
}

static uint32_t crc_table[256];

static void make_crc_table(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    crc_table[i] = c;
  }
}

static uint32_t crc(uint32_t sum, const unsigned char* p, size_t n) {
  sum = ~sum;
  while (n--) sum = crc_table[(sum ^ *p++) & 255] ^ sum >> 8;
  return ~sum;
}

/* Copies size bytes, and returns their checksum. `to` may be -1, then they are only checked. */
static uint32_t copy_bytes(int from, int to, size_t size) {
  unsigned char buffer[128 * BLOCK];
  uint32_t sum = 0;
  while (size > 0) {
    size_t want = size < sizeof buffer ? size : sizeof buffer;
    if (read_full(from, buffer, want) != want) {
      errno = EIO;
      die("file too short");
    }
    sum = crc(sum, buffer, want);
    if (to >= 0) write_full(to, buffer, want);
    size -= want;
  }
  return sum;
}

static void pack_file(int archive, const char* path) {
  static const char zeros[BLOCK];
  struct header h;
  struct stat st;
  int fd = must_open(path, O_RDONLY);
  if (fstat(fd, &st) < 0) die(path);
  memset(&h, 0, sizeof h);
  snprintf(h.name, sizeof h.name, "%s", path);
  snprintf(h.size, sizeof h.size, "%ld", (long)st.st_size);
  off_t start = lseek(archive, 0, SEEK_CUR);
  write_full(archive, &h, sizeof h);
  uint32_t sum = copy_bytes(fd, archive, (size_t)st.st_size);
  size_t rest = (size_t)st.st_size % BLOCK;
  if (rest) write_full(archive, zeros, BLOCK - rest);
  close(fd);
  snprintf(h.checksum, sizeof h.checksum, "%08x", sum);
  if (pwrite(archive, &h, sizeof h, start) != (ssize_t)sizeof h) die("write");
}

static int pack(const char* manifest, const char* name) {
  char path[100];
  int count = 0;
  FILE* list = fopen(manifest, "r");
  if (!list) die(manifest);
  int archive = must_open(name, O_WRONLY | O_CREAT | O_TRUNC);
  while (fgets(path, sizeof path, list)) {
    path[strcspn(path, "\n")] = 0;
    pack_file(archive, path);
    count++;
  }
  fclose(list);
  close(archive);
  return count;
}

static void flat_name(const char* path, char* out, size_t size) {
  snprintf(out, size, "out-%s", path);
  for (char* p = out; *p; p++)
    if (*p == '/') *p = '-';
}

static void extract(const char* name, const char* pattern) {
  struct header h;
  int archive = must_open(name, O_RDONLY);
  while (read_full(archive, &h, sizeof h) == sizeof h) {
    size_t size = (size_t)atol(h.size);
    int to = -1;
    if (strstr(h.name, pattern)) {
      char out[160];
      flat_name(h.name, out, sizeof out);
      to = must_open(out, O_WRONLY | O_CREAT | O_TRUNC);
    }
    uint32_t sum = copy_bytes(archive, to, size);
    if (to >= 0) close(to);
    if (size % BLOCK) lseek(archive, (off_t)(BLOCK - size % BLOCK), SEEK_CUR);
    printf("%10lu %08x %s%s %s\n", (unsigned long)size, sum, h.name, to >= 0 ? " (extracted)" : "",
           sum == strtoul(h.checksum, NULL, 16) ? "ok" : "DAMAGED");
  }
  close(archive);
}

int main(void) {
  make_crc_table();
  printf("%d files packed\n", pack("manifest", "things.pak"));
  extract("things.pak", "images/");
  return 0;
}
