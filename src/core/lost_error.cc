#include "core/lost_error.h"

#include <atomic>
#include <string>

#include "os/process.h"
#include "sluice/writer.h"

namespace sluice {
namespace {

std::atomic<LostErrorHandler> lost_error_handler{nullptr};

}  // namespace

void set_lost_error_handler(LostErrorHandler handler) noexcept {
  lost_error_handler.store(handler);
}

void report_lost_error(const Status& status) {
  if (const LostErrorHandler handler = lost_error_handler.load()) {
    handler(status);
    return;
  }
  const std::string line = "sluice: lost error: " + status.message();
  os::print_line_to_standard_error(line.c_str());
}

}  // namespace sluice
