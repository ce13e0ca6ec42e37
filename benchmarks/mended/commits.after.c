// journal: applies batches of payments to the accounts and keeps a journal of them in journal.log
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ACCOUNTS 20000

static long long balance[ACCOUNTS];

static uint32_t checksum(uint32_t h, const char* s) {
  for (; *s; s++) {
    h ^= (unsigned char)*s;
    h *= 16777619u;
  }
  return h;
}

int main(void) {
  FILE* log = fopen("journal.log", "w");
  if (!log) {
    perror("journal.log");
    return 1;
  }
  char line[128];
  int batch = 0, from, to, whole, cents;
  long payments = 0;
  uint32_t sum = 2166136261u;

  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "pay acct%d acct%d %d.%d", &from, &to, &whole, &cents) == 4) {
      long long amount = whole * 100LL + cents;
      if (from >= ACCOUNTS || to >= ACCOUNTS) continue;
      balance[from] -= amount;
      balance[to] += amount;
      payments++;
      char entry[128];
      snprintf(entry, sizeof entry, "%d %05d %05d %lld %lld %lld\n", batch, from, to, amount,
               balance[from], balance[to]);
      sum = checksum(sum, entry);
      fputs(entry, log);
    } else if (sscanf(line, "begin %d", &batch) == 1) {
      sum = 2166136261u;
    } else if (strncmp(line, "commit", 6) == 0) {
      fprintf(log, "commit %d %08x\n", batch, sum);
    }
  }
  fflush(log);
  fsync(fileno(log));
  fclose(log);

  long long top = 0;
  int who = 0, below = 0;
  for (int i = 0; i < ACCOUNTS; i++) {
    if (balance[i] > top) {
      top = balance[i];
      who = i;
    }
    below += balance[i] < 0;
  }
  printf("%ld payments, richest acct%05d %lld, overdrawn %d\n", payments, who, top, below);
  return 0;
}
