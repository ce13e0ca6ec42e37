#include "trace/running.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace sluice::trace {

// See proc(5). The state follows the program's name, which may have any characters.
std::optional<double> processor_s_of_running(int process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream words(line.substr(name_end + 1));
  std::string state;
  words >> state;
  if (state == "Z" || state == "X") return std::nullopt;
  constexpr int before_times = 10;
  std::string skipped;
  for (int i = 0; i < before_times; ++i) words >> skipped;
  double ticks = 0;
  double sum = 0;
  for (int i = 0; i < 4 && words >> ticks; ++i) sum += ticks;  // user, system, and the children's
  return sum / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace sluice::trace
