// The addresses of loaded files.
#pragma once

#include <link.h>
#include <stdint.h>

namespace sluice::preload {

struct Range {
  uintptr_t begin;
  uintptr_t end;
  bool contains(uintptr_t address) const { return address - begin < end - begin; }
};

// The addresses of a loaded file; with PF_X, of its code.
inline Range range_of(const dl_phdr_info& info, uint32_t flags = 0) {
  Range range{UINTPTR_MAX, 0};
  for (size_t i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & flags) != flags) continue;
    const uintptr_t begin = info.dlpi_addr + segment.p_vaddr;
    if (begin < range.begin) range.begin = begin;
    if (begin + segment.p_memsz > range.end) range.end = begin + segment.p_memsz;
  }
  return range;
}

}  // namespace sluice::preload
