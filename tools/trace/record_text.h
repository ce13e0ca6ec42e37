// Texts of a record that may be damaged: what is not there reads as empty, and ends where it must.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "preload/trace/record.h"

namespace sluice::trace {

inline std::string text_at(const preload::Record& record, std::uint32_t begin) {
  if (begin >= preload::text_bytes) return "";
  return {record.texts + begin, ::strnlen(record.texts + begin, preload::text_bytes - begin)};
}

inline std::string program_of(const preload::Record& record) {
  return {record.program, ::strnlen(record.program, sizeof record.program)};
}

}  // namespace sluice::trace
