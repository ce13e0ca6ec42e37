#include "core/lost_error.h"

#include <array>
#include <atomic>
#include <charconv>
#include <string>

#include "os/guarded.h"
#include "os/process.h"
#include "sluice/writer.h"

namespace sluice {
namespace {

std::atomic<LostErrorHandler> lost_error_handler{nullptr};

// The message, but for the code's text, which the standard library gives in a string alone.
void print_without_memory(const Status& status) noexcept {
  std::array<char, 12> code;
  const auto end = std::to_chars(code.begin(), code.end(), status.code().value()).ptr;
  os::print_line_to_standard_error({"sluice: lost error: ",
                                    to_string(status.operation()),
                                    " ",
                                    status.path(),
                                    ": error ",
                                    {code.data(), end}});
}

}  // namespace

void set_lost_error_handler(LostErrorHandler handler) noexcept {
  lost_error_handler.store(handler);
}

void report_lost_error(const Status& status) {
  if (const LostErrorHandler handler = lost_error_handler.load()) {
    handler(status);
    return;
  }
  os::guarded(
      [&] {
        os::print_line_to_standard_error({"sluice: lost error: ", status.message()});
      },
      [&] { print_without_memory(status); });
}

}  // namespace sluice
