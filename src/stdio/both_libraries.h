// The calls of sluice's stdio and those of the C library, under the same names. A test runs the
// same steps with both, and compares.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdio>

#include "sluice/stdio_stream.h"

namespace sluice::testing {

struct OfTheLibrary {
  using File = sluice_FILE;
  static File* error() { return sluice_stdio_streams[2]; }
  static constexpr auto open = sluice_stdio_fopen;
  static constexpr auto close = sluice_stdio_fclose;
  static constexpr auto put = sluice_stdio_fputs;
  static constexpr auto get = sluice_stdio_fgetc;
  static constexpr auto flush = sluice_stdio_fflush;
  static constexpr auto seek = sluice_stdio_fseek;
  static constexpr auto tell = sluice_stdio_ftell;
  static constexpr auto rewind = sluice_stdio_rewind;
  static constexpr auto number = sluice_stdio_fileno;
  static constexpr auto set_buffer = sluice_stdio_setvbuf;
  static constexpr auto unget = sluice_stdio_ungetc;
  static constexpr auto get_line = sluice_stdio_getline;
  static constexpr auto get_text = sluice_stdio_fgets;
  static constexpr auto print = sluice_stdio_fprintf;
  static constexpr auto has_failed = sluice_stdio_ferror;
  static constexpr auto is_at_end = sluice_stdio_feof;
  static constexpr auto of_descriptor = sluice_stdio_fdopen;
  static constexpr auto reopen = sluice_stdio_freopen;
  static constexpr auto open_process = sluice_stdio_popen;
};

struct OfTheSystem {
  using File = FILE;
  static File* error() { return stderr; }
  static File* open(const char* path, const char* mode) { return std::fopen(path, mode); }
  static int close(File* file) { return std::fclose(file); }
  static int put(const char* text, File* file) { return std::fputs(text, file); }
  static int get(File* file) { return std::fgetc(file); }
  static int flush(File* file) { return std::fflush(file); }
  static int seek(File* file, long offset, int whence) { return std::fseek(file, offset, whence); }
  static long tell(File* file) { return std::ftell(file); }
  static void rewind(File* file) { std::rewind(file); }
  static int number(File* file) { return ::fileno(file); }
  static int set_buffer(File* file, char* memory, int mode, std::size_t bytes) {
    return std::setvbuf(file, memory, mode, bytes);
  }
  static int unget(int value, File* file) { return std::ungetc(value, file); }
  static char* get_text(char* into, int bytes, File* file) { return std::fgets(into, bytes, file); }
  static ssize_t get_line(char** line, std::size_t* bytes, File* file) {
    return ::getline(line, bytes, file);
  }
  template <typename... Arguments>
  static int print(File* file, const char* format, Arguments... arguments) {
    return std::fprintf(file, format, arguments...);
  }
  static int has_failed(File* file) { return std::ferror(file); }
  static int is_at_end(File* file) { return std::feof(file); }
  static File* of_descriptor(int descriptor, const char* mode) {
    return ::fdopen(descriptor, mode);
  }
  static File* reopen(const char* path, const char* mode, File* file) {
    return std::freopen(path, mode, file);
  }
  [[gnu::noinline]] static File* open_process(const char* command, const char* mode) {
    return ::popen(command, mode);
  }
};

}  // namespace sluice::testing
