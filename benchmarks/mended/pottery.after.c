/* pottery: works out the orders in orders.txt ("piece count") with the data
 * of the pieces in pieces.dat, which has 64 bytes for each piece: number,
 * shape, glaze, price in cents, weight in grams. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD 64

static char* table;
static long records;

static int load_pieces(const char* name) {
  FILE* f = fopen(name, "rb");
  long size;

  if (!f) return 0;
  fseek(f, 0, SEEK_END);
  size = ftell(f);
  rewind(f);
  records = size / RECORD;
  table = malloc(size);
  if (!table || fread(table, RECORD, records, f) != (size_t)records) return 0;
  fclose(f);
  return 1;
}

static int find_piece(long number, char* record) {
  if (number < 0 || number >= records) return 0;
  memcpy(record, table + number * RECORD, RECORD);
  return 1;
}

static long field(const char* record, int from, int width) {
  char text[32];

  memcpy(text, record + from, width);
  text[width] = 0;
  return strtol(text, NULL, 10);
}

int main(void) {
  char line[64], record[RECORD];
  long orders = 0, total = 0, boxes = 0;
  FILE* in = fopen("orders.txt", "r");

  if (!in || !load_pieces("pieces.dat")) {
    perror("pottery");
    return 1;
  }
  while (fgets(line, sizeof line, in)) {
    char* end;
    long number = strtol(line, &end, 10), count = strtol(end, NULL, 10);
    long cents, grams;

    if (!find_piece(number, record)) {
      printf("%ld: no such piece\n", number);
      continue;
    }
    cents = field(record, 32, 8) * count;
    grams = field(record, 40, 8) * count;
    if (count >= 10) cents -= cents / 20;
    printf("%ld x %.8s %.8s %ld.%02ld\n", count, record + 8, record + 20, cents / 100, cents % 100);
    total += cents;
    boxes += (grams + 7999) / 8000;
    orders++;
  }
  printf("%ld orders, %ld.%02ld, %ld boxes\n", orders, total / 100, total % 100, boxes);
  fclose(in);
  free(table);
  return 0;
}
