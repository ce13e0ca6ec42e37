// stock: books goods in and out (standard input) into the fixed-width records of stock.dat, which
// starts as opening.dat
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECLEN 62

struct item {
  int id, qty;
  long moves, value;
  char shelf[32];
};

static int decode(const char* rec, struct item* it) {
  char tmp[RECLEN + 1];
  memcpy(tmp, rec, RECLEN);
  tmp[RECLEN] = '\0';
  return sscanf(tmp, "%d %d %ld %ld %31s", &it->id, &it->qty, &it->moves, &it->value, it->shelf) ==
         5;
}

static void encode(const struct item* it, char* rec) {
  char tmp[128];
  snprintf(tmp, sizeof tmp, "%08d %8d %12ld %12ld %17s\n", it->id, it->qty, it->moves, it->value,
           it->shelf);
  memcpy(rec, tmp, RECLEN);
}

static int book(int fd, int id, int in, int n, long* refused) {
  char rec[RECLEN];
  struct item it;
  off_t at = (off_t)id * RECLEN;

  if (lseek(fd, at, SEEK_SET) < 0 || read(fd, rec, RECLEN) != RECLEN || !decode(rec, &it)) return 0;
  if (!in && it.qty < n) {
    ++*refused;
    return 1;
  }
  it.qty += in ? n : -n;
  it.moves++;
  encode(&it, rec);
  if (lseek(fd, at, SEEK_SET) < 0 || write(fd, rec, RECLEN) != RECLEN) return 0;
  return 1;
}

static int start_day(const char* from, const char* to) {
  char buf[8192];
  size_t n;
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  if (!in || !out) return 0;
  while ((n = fread(buf, 1, sizeof buf, in)) > 0) fwrite(buf, 1, n, out);
  fclose(in);
  return fclose(out) == 0;
}

int main(void) {
  if (!start_day("opening.dat", "stock.dat")) {
    perror("opening.dat");
    return 1;
  }
  int fd = open("stock.dat", O_RDWR);
  if (fd < 0) {
    perror("stock.dat");
    return 1;
  }
  char line[128], dir[8];
  int id, n;
  long booked = 0, refused = 0, bad = 0;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "%d %7s %d", &id, dir, &n) != 3 ||
        !book(fd, id, strcmp(dir, "in") == 0, n, &refused))
      bad++;
    else
      booked++;
  }
  close(fd);
  printf("booked %ld, of these refused %ld, bad %ld\n", booked, refused, bad);
  return 0;
}
