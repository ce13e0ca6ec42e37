#include "sizes.h"

#include <atomic>

#include "recorder.h"

namespace sluice::preload {

constinit SizeLog* sizes = nullptr;

namespace {

constinit std::atomic_flag in_use = ATOMIC_FLAG_INIT;

// Room is reserved for many places at once.
bool has_room_for(uint32_t place) {
  constexpr uint32_t many = 500;
  static_assert(max_equal_writes % many == 0);
  return place % many != 0 || has_room(&sizes->writes[place], many * sizeof(EqualWrites));
}

void lose(uint64_t count) { __atomic_add_fetch(&sizes->lost, count, __ATOMIC_RELAXED); }

}  // namespace

void begin_sizes(const char* folder) {
  in_use.clear();  // another thread of the parent may have held it during the fork
  static SizeLog* parents = nullptr;
  sizes = static_cast<SizeLog*>(
      map_new_file(folder, "sizes", sizeof(SizeLog), offsetof(SizeLog, writes), parents));
  if (sizes == nullptr) return;
  parents = sizes;
  sizes->magic = sizes_magic;
}

// A signal's handler may come here while its thread is inside; the handler's write is then left
// out.
void add_sizes(uint64_t bytes, uint64_t count) {
  if (bytes > UINT32_MAX || count > UINT32_MAX) return lose(count);
  const auto size = static_cast<uint32_t>(bytes);
  for (int tries = 0; in_use.test_and_set(std::memory_order_acquire); ++tries) {
    if (tries == 1000) return lose(count);
  }
  EqualWrites* const last = sizes->used == 0 ? nullptr : &sizes->writes[sizes->used - 1];
  if (last != nullptr && last->bytes == size && count < UINT32_MAX - last->count) {
    last->count += static_cast<uint32_t>(count);
  } else if (sizes->used < max_equal_writes && has_room_for(sizes->used)) {
    sizes->writes[sizes->used++] = {size, static_cast<uint32_t>(count)};
  } else {
    lose(count);
  }
  in_use.clear(std::memory_order_release);
}

}  // namespace sluice::preload
