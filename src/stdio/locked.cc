// The variadic functions of stdio_locked.h. The compiler cannot put them into the caller.
#include "sluice/stdio_locked.h"

#include <cstdarg>

int sluice_stdio_locked_fprintf(sluice_FILE* stream, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = sluice_stdio_locked_vfprintf(stream, format, arguments);
  va_end(arguments);
  return result;
}

int sluice_stdio_locked_printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = sluice_stdio_locked_vprintf(format, arguments);
  va_end(arguments);
  return result;
}

int sluice_stdio_locked_fscanf(sluice_FILE* stream, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = sluice_stdio_locked_vfscanf(stream, format, arguments);
  va_end(arguments);
  return result;
}

int sluice_stdio_locked_scanf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = sluice_stdio_locked_vscanf(format, arguments);
  va_end(arguments);
  return result;
}

int sluice_stdio_locked_print_text(sluice_FILE* stream, const char* text, size_t bytes) {
  return sluice_stdio_locked_fwrite(text, 1, bytes, stream) == bytes ? static_cast<int>(bytes) : -1;
}

int sluice_stdio_locked_print_character(sluice_FILE* stream, ...) {
  va_list arguments;
  va_start(arguments, stream);
  const int value = va_arg(arguments, int);
  va_end(arguments);
  return sluice_stdio_locked_fputc(value, stream) < 0 ? -1 : 1;
}

namespace {

int print_string(sluice_FILE* stream, const char* text, int (*print)(sluice_FILE* stream, ...)) {
  if (SLUICE_STDIO_NEEDS_NO_LOCK(stream)) return print(stream, text);
  sluice_stdio_lock(stream);
  const int result = print(stream, text);
  sluice_stdio_unlock(stream);
  return result;
}

}  // namespace

int sluice_stdio_locked_print_string(sluice_FILE* stream, ...) {
  va_list arguments;
  va_start(arguments, stream);
  const char* const text = va_arg(arguments, const char*);
  va_end(arguments);
  return print_string(stream, text, sluice_stdio_print_string);
}

int sluice_stdio_locked_print_line(sluice_FILE* stream, ...) {
  va_list arguments;
  va_start(arguments, stream);
  const char* const text = va_arg(arguments, const char*);
  va_end(arguments);
  return print_string(stream, text, sluice_stdio_print_line);
}
