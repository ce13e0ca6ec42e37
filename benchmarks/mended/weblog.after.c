/* weblog: convert an Apache combined log into TSV with anonymised clients */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* mon = "JanFebMarAprMayJunJulAugSepOctNovDec";

static long days_from_civil(int y, int m, int d) {
  y -= m <= 2;
  int era = y / 400;
  unsigned yoe = (unsigned)(y - era * 400);
  unsigned doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
  unsigned doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
  return era * 146097L + (long)doe - 719468;
}

static long parse_time(const char* s) {
  int d, y, h, m, sec;
  char mm[4];
  if (sscanf(s, "%2d/%3s/%4d:%2d:%2d:%2d", &d, mm, &y, &h, &m, &sec) != 6) return -1;
  const char* p = strstr(mon, mm);
  int mo = p ? (int)(p - mon) / 3 + 1 : 1;
  return days_from_civil(y, mo, d) * 86400L + h * 3600 + m * 60 + sec;
}

static uint64_t anon(const char* ip, size_t n) {
  uint64_t h = 1469598103934665603ULL;
  for (int round = 0; round < 12; round++)
    for (size_t i = 0; i < n; i++) {
      h ^= (unsigned char)ip[i] + round;
      h *= 1099511628211ULL;
    }
  return h;
}

int main(void) {
  FILE* in = fopen("access.log", "r");
  FILE* out = fopen("access.tsv", "w");
  if (!in || !out) {
    perror("open");
    return 1;
  }
  char line[2048];
  long n = 0, bad = 0, bytes = 0, byclass[6] = {0};

  fprintf(out, "epoch\tclient\tmethod\tpath\tstatus\tbytes\tagent\n");
  while (fgets(line, sizeof line, in)) {
    char* ipend = strchr(line, ' ');
    char* t = strchr(line, '[');
    char* q = t ? strchr(t, '"') : NULL;
    char* q2 = q ? strchr(q + 1, '"') : NULL;
    if (!q2) {
      bad++;
      continue;
    }
    *q2 = 0;
    char* path = strchr(q + 1, ' ');
    if (!path) {
      bad++;
      continue;
    }
    *path++ = 0;
    char* proto = strrchr(path, ' ');
    if (proto) *proto = 0;
    char* e;
    int status = (int)strtol(q2 + 1, &e, 10);
    long sz = strtol(e, &e, 10);
    char* ua = strrchr(e, '"');
    if (ua) *ua = 0;
    ua = strrchr(e, '"');
    fprintf(out, "%ld\t%016llx\t%s\t%s\t%d\t%ld\t%s\n", parse_time(t + 1),
            (unsigned long long)anon(line, (size_t)(ipend - line)), q + 1, path, status, sz,
            ua ? ua + 1 : "");
    n++;
    bytes += sz;
    if (status >= 100 && status < 600) byclass[status / 100]++;
  }
  fclose(in);
  fclose(out);
  printf("lines %ld bad %ld bytes %ld\n", n, bad, bytes);
  for (int i = 1; i < 6; i++) printf("%dxx %ld\n", i, byclass[i]);
  return 0;
}
