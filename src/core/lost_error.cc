#include "sluice/lost_error.h"

#include <array>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <string>

#include "os/guarded.h"
#include "os/process.h"

namespace sluice {
namespace {

struct Handler {
  LostErrorHandler call = nullptr;
  void* context = nullptr;
};

// The present handler, which threads set and read without a lock. In a forked child, a lock that
// another thread of the parent held would never be released. No thread waits for another thread
// here. A thread that stops for ever in any of these functions keeps only one place from being used
// again.
class Handlers {
 public:
  void set(Handler handler) noexcept {
    Place& place = claim();
    place.call.store(handler.call);
    place.context.store(handler.context);
    present_.store(&place);
    place.state.fetch_sub(is_claimed);
  }

  // A claim of a place raises its version. If the place was the present place and its version did
  // not change, both pointers belong together. The loop runs again only if another handler was set.
  Handler present() const noexcept {
    for (;;) {
      const Place* const place = present_.load();
      const std::uint32_t version = place->state.load() / one_version;
      if (present_.load() != place) continue;
      const Handler handler{place->call.load(), place->context.load()};
      if (place->state.load() / one_version == version) return handler;
    }
  }

 private:
  struct Place {
    std::atomic<std::uint32_t> state{0};  // a multiple of one_version; is_claimed is added
    std::atomic<LostErrorHandler> call{nullptr};
    std::atomic<void*> context{nullptr};
  };
  static constexpr std::uint32_t is_claimed = 1;
  static constexpr std::uint32_t one_version = 2;

  // Claims a place that is neither claimed nor the present place. A place becomes the present place
  // only after a claim. So if the state has not changed since it was read, the place is still not
  // the present place.
  Place& claim() noexcept {
    for (std::uint32_t number = begun_.fetch_add(1) + 1;; ++number) {
      Place& place = places_[number % places_.size()];
      std::uint32_t state = place.state.load();
      if (state % one_version != is_claimed && present_.load() != &place &&
          place.state.compare_exchange_strong(state, state + one_version + is_claimed)) {
        return place;
      }
    }
  }

  std::array<Place, 64> places_;  // more than the threads that set a handler at the same time
  std::atomic<Place*> present_{&places_[0]};
  std::atomic<std::uint32_t> begun_{0};
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
