/* Sorts the bookings of a ferry line into one manifest for each port, with the fare added. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PORTS 64

struct booking {
  char number[16], port[32], date[16], vehicle[16];
  double length;
  int passengers;
};

struct port {
  char name[32];
  long bookings, passengers;
  double metres, takings;
};

static struct port ports[MAX_PORTS];
static int port_count;

static struct port* get_port(const char* name) {
  for (int i = 0; i < port_count; i++)
    if (strcmp(ports[i].name, name) == 0) return &ports[i];
  if (port_count == MAX_PORTS) {
    fprintf(stderr, "too many ports\n");
    exit(1);
  }
  struct port* p = &ports[port_count++];
  char path[64];
  snprintf(p->name, sizeof p->name, "%s", name);
  snprintf(path, sizeof path, "manifests/%s.txt", name);
  unlink(path);
  return p;
}

static double fare(const struct booking* b) {
  double base = 18.5 * b->passengers;
  if (strcmp(b->vehicle, "truck") == 0) return base + 31 * b->length;
  if (strcmp(b->vehicle, "bus") == 0) return base + 24 * b->length;
  if (strcmp(b->vehicle, "bike") == 0) return base + 9;
  return base + 12.5 * b->length;
}

static void add_to_manifest(struct port* p, const struct booking* b, double price) {
  char path[64];
  snprintf(path, sizeof path, "manifests/%s.txt", p->name);
  FILE* f = fopen(path, "a");
  if (!f) {
    perror(path);
    exit(1);
  }
  fprintf(f, "%-8s %s %-6s %5.1f m %2d pax %9.2f\n", b->number, b->date, b->vehicle, b->length,
          b->passengers, price);
  fclose(f);
}

int main(void) {
  char line[256];
  struct booking b;
  int bad = 0;

  FILE* in = fopen("bookings.txt", "r");
  if (!in) {
    perror("bookings.txt");
    return 1;
  }
  mkdir("manifests", 0777);
  while (fgets(line, sizeof line, in)) {
    if (sscanf(line, "%15[^;];%31[^;];%15[^;];%15[^;];%lf;%d", b.number, b.port, b.date, b.vehicle,
               &b.length, &b.passengers) != 6) {
      bad++;
      continue;
    }
    struct port* p = get_port(b.port);
    double price = fare(&b);
    p->bookings++;
    p->passengers += b.passengers;
    p->metres += b.length;
    p->takings += price;
    add_to_manifest(p, &b, price);
  }
  fclose(in);
  for (int i = 0; i < port_count; i++)
    printf("%-14s %6ld bookings %7ld passengers %9.1f m %12.2f\n", ports[i].name, ports[i].bookings,
           ports[i].passengers, ports[i].metres, ports[i].takings);
  printf("%d lines not understood\n", bad);
  return 0;
}
