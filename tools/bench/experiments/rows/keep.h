// Keeps the compiler from removing work whose result the program does not use. Costs no
// instruction.
#pragma once

#include <cstdint>

namespace sluice::bench {

inline void keep(std::uint64_t value) { asm volatile("" : : "r"(value)); }
inline void keep_memory(const void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

}  // namespace sluice::bench
