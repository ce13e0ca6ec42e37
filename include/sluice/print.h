// print: formatted text into a Writer, through {fmt}. Link with sluice::fmt.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "sluice/writer.h"

namespace sluice {

// Formats as fmt::format does and writes the result. False once the Writer has failed.
// Threads and errors as Writer::write; a bad format string is a compile-time error.
template <typename... Args>
bool print(Writer& writer, fmt::format_string<Args...> format, Args&&... args) {
  fmt::memory_buffer text;  // 500 bytes on the stack before it allocates
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  return writer.write(text.data(), text.size());
}

}  // namespace sluice
