// Texts of a log that may be damaged: a missing text reads as empty, and every text ends within the
// log.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "preload/trace/log.h"

namespace sluice::trace {

inline std::string_view view_at(const preload::Log& log, std::uint32_t begin) {
  if (begin >= preload::text_bytes) return "";
  return {log.texts + begin, ::strnlen(log.texts + begin, preload::text_bytes - begin)};
}

inline std::string text_at(const preload::Log& log, std::uint32_t begin) {
  return std::string(view_at(log, begin));
}

inline std::string program_of(const preload::Log& log) {
  return {log.program, ::strnlen(log.program, sizeof log.program)};
}

}  // namespace sluice::trace
