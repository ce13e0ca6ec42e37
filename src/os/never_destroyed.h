// NeverDestroyed: an object whose destructor never runs, in place.
//
// In static storage, for what a Writer or Reader with static lifetime may still ask for while the
// process exits. Unlike `new`, it leaves nothing behind when the library is unloaded.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace sluice::os {

template <class T>
class NeverDestroyed {
 public:
  template <class... Arguments>
  explicit NeverDestroyed(Arguments&&... arguments) {
    ::new (storage_) T(std::forward<Arguments>(arguments)...);
  }
  NeverDestroyed(const NeverDestroyed&) = delete;
  NeverDestroyed& operator=(const NeverDestroyed&) = delete;

  T& get() noexcept { return *std::launder(reinterpret_cast<T*>(storage_)); }

 private:
  alignas(T) std::byte storage_[sizeof(T)];
};

}  // namespace sluice::os
