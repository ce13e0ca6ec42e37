// WidePath: a path as Windows takes it.
//
// The program's paths are UTF-8. A WidePath is the absolute path in UTF-16. If it is long it begins
// with \\?\, because Windows takes at most 260 characters otherwise. It allocates nothing, because
// destructors remove files too.
#pragma once

#include <array>
#include <cstddef>

#include "os/system_calls.h"

namespace sluice::os {

inline constexpr std::size_t max_path_units = 32767;  // of UTF-16, with the final NUL

class WidePath {
 public:
  // A relative path starts at `directory`, a descriptor, or at the current directory (AT_FDCWD).
  WidePath(int directory, const char* path) noexcept;

  CallResult error() const noexcept { return error_; }  // 0, or -errno
  const wchar_t* c_str() const noexcept { return text_.data(); }
  std::size_t units() const noexcept { return units_; }  // without the final NUL

 private:
  void start_at_current_directory(const wchar_t* path) noexcept;
  void start_at(int directory, const wchar_t* path) noexcept;
  void refuse(CallResult error) noexcept;

  std::array<wchar_t, max_path_units> text_;
  std::size_t units_ = 0;
  CallResult error_ = 0;
};

// Both write at most `bytes` bytes of UTF-8, and return their number or -errno.
CallResult path_of(void* handle, char* into, std::size_t bytes) noexcept;
CallResult to_utf8(const wchar_t* text, std::size_t units, char* into, std::size_t bytes) noexcept;

}  // namespace sluice::os
