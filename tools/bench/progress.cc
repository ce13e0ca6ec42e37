#include "bench/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>

namespace sluice::bench {
namespace {

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

constexpr auto start_of_wiped_line = "\r\033[K";

}  // namespace

Progress::Progress() : terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clear(); }

void Progress::show(const std::string& line) {
  if (!terminal_) return;
  std::fputs((start_of_wiped_line + line.substr(0, terminal_width() - 1)).c_str(), stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs(start_of_wiped_line, stderr);
  shown_ = false;
}

}  // namespace sluice::bench
