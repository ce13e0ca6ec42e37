#include "stdio/mode.h"

#include <fcntl.h>

#include <cerrno>

namespace sluice::stdio {
namespace {

bool parse_first(char letter, Mode& mode) {
  mode.reads = letter == 'r';
  mode.writes = letter == 'w' || letter == 'a';
  mode.appends = letter == 'a';
  if (letter == 'w') mode.flags = O_CREAT | O_TRUNC;
  if (letter == 'a') mode.flags = O_CREAT | O_APPEND;
  return mode.reads || mode.writes;
}

// b and t make no difference on POSIX systems. c and m are advice for glibc.
bool parse_further(char letter, Mode& mode) {
  switch (letter) {
    case '+': mode.reads = mode.writes = true; return true;
    case 'x': mode.flags |= O_EXCL; return true;
    case 'e': mode.flags |= O_CLOEXEC; return true;
    case 'b':
    case 't':
    case 'c':
    case 'm': return true;
    default: return false;
  }
}

}  // namespace

bool parse_mode(const char* text, Mode& mode) {
  bool has_sense = text != nullptr && parse_first(*text, mode);
  while (has_sense && *++text != '\0') has_sense = parse_further(*text, mode);
  if (!has_sense) {
    errno = EINVAL;
    return false;
  }
  mode.flags |= mode.reads ? (mode.writes ? O_RDWR : O_RDONLY) : O_WRONLY;
  return true;
}

}  // namespace sluice::stdio
