#include "c/standard_handles.h"

#include <array>
#include <atomic>
#include <utility>

namespace sluice::c {
namespace {

// Has no lock, because another thread of the parent could hold it when a child is forked.
class StandardHandles {
 public:
  // The handles stay, because another part of the program may still use them: such a call is then
  // refused.
  ~StandardHandles() {
    for (std::atomic<Writer*>& place : places_) {
      Writer* const writer = place.exchange(nullptr);
      if (writer != nullptr) const Writer closed = std::move(*writer);
    }
  }

  bool add(Writer* writer) noexcept {
    for (std::atomic<Writer*>& place : places_) {
      Writer* none = nullptr;
      if (place.compare_exchange_strong(none, writer)) return true;
    }
    return false;
  }

  void remove(const Writer* writer) noexcept {
    for (std::atomic<Writer*>& place : places_) {
      Writer* found = place.load(std::memory_order_relaxed);
      if (found == writer) place.compare_exchange_strong(found, nullptr);
    }
  }

 private:
  std::array<std::atomic<Writer*>, max_standard_handles> places_{};
};

StandardHandles handles;

}  // namespace

bool close_at_exit(Writer* writer) noexcept { return handles.add(writer); }

void forget(const Writer* writer) noexcept { handles.remove(writer); }

}  // namespace sluice::c
