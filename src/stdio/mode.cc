#include "stdio/mode.h"

#include <fcntl.h>

#include <cerrno>

#include "stdio/descriptor.h"

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

// As with glibc, a letter that is not known means nothing: "rb" and "rw" are "r". A comma begins
// the character set of a stream of wide characters, and there are none.
bool parse_further(char letter, Mode& mode) {
  switch (letter) {
    case '+': mode.reads = mode.writes = true; break;
    case 'x': mode.flags |= O_EXCL; break;
    case ',': return false;
    default: return parse_letter_of_system(letter, mode.flags);
  }
  return true;
}

}  // namespace

bool parse_mode(const char* text, Mode& mode) {
  if (text == nullptr || !parse_first(*text, mode)) {
    errno = EINVAL;
    return false;
  }
  while (*++text != '\0') {
    if (parse_further(*text, mode)) continue;
    errno = EINVAL;
    return false;
  }
  mode.flags |= mode.reads ? (mode.writes ? O_RDWR : O_RDONLY) : O_WRONLY;
  return true;
}

}  // namespace sluice::stdio
