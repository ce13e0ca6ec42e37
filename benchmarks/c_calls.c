#include "c_calls.h"

bool put_in_c(sluice_writer* writer, uint64_t calls) {
  bool is_accepted = true;
  for (uint64_t i = 0; i < calls; ++i) is_accepted &= sluice_put(writer, (int)(i & 0x7F));
  return is_accepted;
}

bool write_in_c(sluice_writer* writer, uint64_t calls) {
  bool is_accepted = true;
  for (uint64_t i = 0; i < calls; ++i) {
    const uint64_t value = i;
    is_accepted &= sluice_write(writer, &value, sizeof value);
  }
  return is_accepted;
}

uint64_t get_in_c(sluice_reader* reader) {
  uint64_t sum = 0;
  for (int byte; (byte = sluice_get(reader)) != SLUICE_END;) sum += (uint64_t)byte;
  return sum;
}

uint64_t read_in_c(sluice_reader* reader) {
  uint64_t sum = 0;
  for (uint64_t value; sluice_read(reader, &value, sizeof value) == sizeof value;) sum += value;
  return sum;
}
