#include "os/process.h"

#include <array>

#include "os/system_calls.h"

namespace sluice::os {
std::size_t processors() noexcept {
  static const CallResult counted = calls().processors();
  return counted > 0 ? static_cast<std::size_t>(counted) : 1;
}

void print_line_to_standard_error(std::initializer_list<std::string_view> parts) noexcept {
  std::array<iovec, 16> pieces;
  std::size_t count = 0;
  for (const std::string_view part : parts) {
    if (count == pieces.size() - 1) break;
    pieces[count++] = {const_cast<char*>(part.data()), part.size()};
  }
  char newline[] = "\n";
  pieces[count++] = {newline, 1};
  static_cast<void>(calls().writev(STDERR_FILENO, pieces.data(), static_cast<int>(count)));
}

}  // namespace sluice::os
