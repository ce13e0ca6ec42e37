#include "os/windows/handles.h"

#include <io.h>

#include <cstdint>
#include <limits>

#include "os/windows/errors.h"
#include "os/windows/system.h"

namespace sluice::os {
namespace {

// The lowest bit of an own descriptor is set if the handle has no positions. The other bits are the
// handle without its two lowest bits, which are always 0.
constexpr int no_positions_bit = 1;
constexpr std::uintptr_t largest_handle =
    static_cast<std::uintptr_t>(std::numeric_limits<int>::max() - first_own_descriptor - 1) / 2 * 4;

}  // namespace

void* handle_of(int descriptor) noexcept {
  if (descriptor < 0) return nullptr;
  if (!is_own(descriptor)) {
    // -1 if there is no such descriptor, and -2 if a standard stream leads nowhere.
    const std::intptr_t handle = ::_get_osfhandle(descriptor);
    return handle < 0 ? nullptr : reinterpret_cast<void*>(handle);
  }
  const auto number = static_cast<std::uintptr_t>((descriptor - first_own_descriptor) >> 1);
  return reinterpret_cast<void*>(number << 2);
}

CallResult descriptor_of(void* handle) noexcept {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number > largest_handle) {
    ::CloseHandle(handle);
    return -EMFILE;
  }
  const bool is_disk = ::GetFileType(handle) == FILE_TYPE_DISK;
  const int bits = static_cast<int>(number >> 2) << 1 | (is_disk ? 0 : no_positions_bit);
  return first_own_descriptor + bits;
}

bool has_positions(int descriptor) noexcept {
  static_assert(first_own_descriptor % 2 == 0);
  if (is_own(descriptor)) return (descriptor & no_positions_bit) == 0;
  return ::GetFileType(handle_of(descriptor)) == FILE_TYPE_DISK;
}

}  // namespace sluice::os
