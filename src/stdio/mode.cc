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

// As with glibc, every other letter means nothing: "rb" and "rw" are "r".
void parse_further(char letter, Mode& mode) {
  switch (letter) {
    case '+': mode.reads = mode.writes = true; break;
    case 'x': mode.flags |= O_EXCL; break;
    case 'e': mode.flags |= O_CLOEXEC; break;
    default: break;
  }
}

}  // namespace

bool parse_mode(const char* text, Mode& mode) {
  if (text == nullptr || !parse_first(*text, mode)) {
    errno = EINVAL;
    return false;
  }
  while (*++text != '\0') parse_further(*text, mode);
  mode.flags |= mode.reads ? (mode.writes ? O_RDWR : O_RDONLY) : O_WRONLY;
  return true;
}

}  // namespace sluice::stdio
