// The calls of c_interface.cc that a C compiler compiles.
#pragma once

#include <sluice/c.h>

#ifdef __cplusplus
extern "C" {
#endif

bool put_in_c(sluice_writer* writer, uint64_t calls);
bool write_in_c(sluice_writer* writer, uint64_t calls);
uint64_t get_in_c(sluice_reader* reader);
uint64_t read_in_c(sluice_reader* reader);

#ifdef __cplusplus
}
#endif
