// NeverDestroyed: an object whose destructor never runs, in place.
//
// Use it in static storage for objects that a Writer or Reader with static lifetime may still need
// while the process exits. Unlike `new`, it leaves no memory behind when the library is unloaded.
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
