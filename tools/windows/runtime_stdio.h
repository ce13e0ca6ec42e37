// The functions of stdio in ucrtbase.dll, the C runtime of today's Windows programs.
//
// mingw-w64 links msvcrt.dll, which has no _fwrite_nolock in Wine. A stream belongs to the library
// that has opened it, so every function comes from ucrtbase.dll.
#pragma once

#include <cstddef>

namespace sluice::bench {

struct RuntimeStdio {
  using Stream = void;

  Stream* (*open)(const char* path, const char* mode);
  int (*close)(Stream* stream);
  int (*set_buffer)(Stream* stream, char* buffer, int mode, std::size_t bytes);
  std::size_t (*write)(const void* data, std::size_t size, std::size_t count, Stream* stream);
  std::size_t (*write_nolock)(const void* data, std::size_t size, std::size_t count,
                              Stream* stream);
  int (*put)(int byte, Stream* stream);
  int (*put_nolock)(int byte, Stream* stream);
};

// Throws std::runtime_error if the library or a function is missing.
const RuntimeStdio& runtime_stdio();

}  // namespace sluice::bench
