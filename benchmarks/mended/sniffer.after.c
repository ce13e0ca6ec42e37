/* Reads a packet capture and reports the traffic by protocol, by port and by host. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct file_header {
  uint32_t magic;
  uint16_t major, minor;
  uint32_t zone, accuracy, snaplen, linktype;
};

struct packet_header {
  uint32_t seconds, micros, captured, length;
};

struct host {
  uint32_t address;
  unsigned long packets, bytes;
};

static struct host hosts[1024];
static int host_count;
static unsigned long port_packets[65536], flag_syn, flag_fin;
static unsigned long protocol_packets[256], protocol_bytes[256];

static struct host* find_host(uint32_t address) {
  unsigned slot = (address * 2654435761u) >> 22;
  while (hosts[slot].address && hosts[slot].address != address) slot = (slot + 1) & 1023;
  if (!hosts[slot].address) {
    hosts[slot].address = address;
    host_count++;
  }
  return &hosts[slot];
}

static int read_exactly(FILE* f, void* data, size_t size) {
  return fread(data, 1, size, f) == size;
}

static void packet(const unsigned char* d, uint32_t n) {
  if (n < 34 || d[12] != 8 || d[13] != 0) return;
  const unsigned char* ip = d + 14;
  unsigned header = (ip[0] & 15) * 4;
  uint32_t from = (uint32_t)ip[12] << 24 | ip[13] << 16 | ip[14] << 8 | ip[15];
  struct host* h = find_host(from);
  h->packets++;
  h->bytes += n;
  protocol_packets[ip[9]]++;
  protocol_bytes[ip[9]] += n;
  if (n < 14 + header + 8) return;
  const unsigned char* l4 = ip + header;
  port_packets[l4[2] << 8 | l4[3]]++;
  if (ip[9] == 6 && n >= 14 + header + 20) {
    flag_syn += (l4[13] & 2) != 0;
    flag_fin += (l4[13] & 1) != 0;
  }
}

static int by_bytes(const void* a, const void* b) {
  const struct host *x = a, *y = b;
  if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
  return x->address < y->address ? -1 : x->address > y->address;
}

int main(void) {
  static unsigned char data[65536];
  struct file_header fh;
  struct packet_header ph;
  unsigned long total = 0;

  FILE* f = fopen("capture.pcap", "rb");
  if (!f || !read_exactly(f, &fh, sizeof fh) || fh.magic != 0xa1b2c3d4) {
    fprintf(stderr, "capture.pcap: not a capture\n");
    return 1;
  }
  while (read_exactly(f, &ph, sizeof ph)) {
    if (ph.captured > sizeof data || !read_exactly(f, data, ph.captured)) break;
    packet(data, ph.captured);
    total++;
  }
  fclose(f);

  printf("%lu packets, %d hosts, %lu SYN, %lu FIN\n", total, host_count, flag_syn, flag_fin);
  for (int i = 0; i < 256; i++)
    if (protocol_packets[i])
      printf("protocol %3d: %8lu packets %10lu bytes\n", i, protocol_packets[i], protocol_bytes[i]);
  for (int i = 0; i < 65536; i++)
    if (port_packets[i]) printf("port %5d: %8lu packets\n", i, port_packets[i]);
  qsort(hosts, 1024, sizeof hosts[0], by_bytes);
  for (int i = 0; i < 10 && i < host_count; i++)
    printf("%u.%u.%u.%u %lu packets %lu bytes\n", hosts[i].address >> 24,
           hosts[i].address >> 16 & 255, hosts[i].address >> 8 & 255, hosts[i].address & 255,
           hosts[i].packets, hosts[i].bytes);
  return 0;
}
