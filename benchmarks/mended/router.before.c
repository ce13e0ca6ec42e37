// router: a resolver process finds the gateway of each packet address; the parent adds up the
// traffic of each gateway
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAXROUTES 1000

struct route {
  uint32_t net, mask;
  int len, gw;
};

static struct route table[MAXROUTES];
static int routes;

static uint32_t ip(unsigned a, unsigned b, unsigned c, unsigned d) {
  return a << 24 | b << 16 | c << 8 | d;
}

static void load(const char* name) {
  FILE* fp = fopen(name, "r");
  unsigned a, b, c, d;
  int len, gw;
  if (!fp) {
    perror(name);
    exit(1);
  }
  while (routes < MAXROUTES && fscanf(fp, "%u.%u.%u.%u/%d gw%d", &a, &b, &c, &d, &len, &gw) == 6) {
    uint32_t mask = len ? ~0u << (32 - len) : 0;
    table[routes++] = (struct route){ip(a, b, c, d) & mask, mask, len, gw};
  }
  fclose(fp);
}

static int resolve(uint32_t addr) {
  int best = -1, len = -1;
  for (int i = 0; i < routes; i++)
    if ((addr & table[i].mask) == table[i].net && table[i].len > len) {
      len = table[i].len;
      best = table[i].gw;
    }
  return best;
}

static int get(int fd, void* buf, size_t n) {
  size_t got = 0;
  while (got < n) {
    ssize_t k = read(fd, (char*)buf + got, n - got);
    if (k <= 0) return 0;
    got += (size_t)k;
  }
  return 1;
}

static void resolver(int fd) {
  uint32_t addr;
  load("routes.txt");
  while (get(fd, &addr, sizeof addr)) {
    int gw = resolve(addr);
    if (write(fd, &gw, sizeof gw) != sizeof gw) break;
  }
}

int main(void) {
  int sv[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sv) < 0) {
    perror("socketpair");
    return 1;
  }
  pid_t pid = fork();
  if (pid == 0) {
    close(sv[0]);
    resolver(sv[1]);
    _exit(0);
  }
  close(sv[1]);

  long packets[100] = {0}, bytes[100] = {0}, lost = 0;
  char line[128];
  unsigned a, b, c, d, size;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "%u.%u.%u.%u %u", &a, &b, &c, &d, &size) != 5) continue;
    uint32_t addr = ip(a, b, c, d);
    int gw;
    if (write(sv[0], &addr, sizeof addr) != sizeof addr || !get(sv[0], &gw, sizeof gw)) return 1;
    if (gw < 0) {
      lost++;
    } else {
      packets[gw]++;
      bytes[gw] += size;
    }
  }
  close(sv[0]);
  waitpid(pid, NULL, 0);
  for (int i = 0; i < 100; i++)
    if (packets[i]) printf("gw%02d %ld packets %ld bytes\n", i, packets[i], bytes[i]);
  printf("lost %ld\n", lost);
  return 0;
}
