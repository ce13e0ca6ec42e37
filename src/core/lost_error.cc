#include "core/lost_error.h"

#include <array>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <string>

#include "os/guarded.h"
#include "os/process.h"
#include "sluice/lost_error.h"

namespace sluice {
namespace {

struct Handler {
  LostErrorHandler call = nullptr;
  void* context = nullptr;
};

// Two places for handlers, used in turn. One can be read without a lock while the other is set: in
// a forked child, a lock that another thread of the parent held would never be released.
class Handlers {
 public:
  void set(Handler handler) noexcept {
    const std::uint32_t number = begun_.fetch_add(1) + 1;
    Place& place = places_[number % places_.size()];
    place.call.store(handler.call);
    place.context.store(handler.context);
    present_.store(number);
  }

  Handler present() const noexcept {
    for (;;) {
      const std::uint32_t number = present_.load();
      const Place& place = places_[number % places_.size()];
      const Handler handler{place.call.load(), place.context.load()};
      const bool may_be_used_again = begun_.load() - number >= places_.size();
      if (!may_be_used_again) return handler;
    }
  }

 private:
  struct Place {
    std::atomic<LostErrorHandler> call{nullptr};
    std::atomic<void*> context{nullptr};
  };

  std::array<Place, 16> places_;
  std::atomic<std::uint32_t> begun_{0};
  std::atomic<std::uint32_t> present_{0};
};

constinit Handlers handlers;

// The message without the code's text, because the standard library gives that text only in a
// string.
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

void set_lost_error_handler(LostErrorHandler call, void* context) noexcept {
  handlers.set({call, context});
}

void report_lost_error(const Status& status) {
  if (const Handler present = handlers.present(); present.call != nullptr) {
    present.call(status, present.context);
    return;
  }
  os::guarded(
      [&] {
        os::print_line_to_standard_error({"sluice: lost error: ", status.message()});
      },
      [&] { print_without_memory(status); });
}

}  // namespace sluice
