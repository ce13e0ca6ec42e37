#include "private_files.h"

#include <stddef.h>
#include <stdint.h>

#include <atomic>

namespace sluice::preload {
namespace {

// Each stream has one place, which other streams may share. A new stream replaces the stream that
// it finds there. Seeks of the replaced stream are then slower, but correct.
constexpr size_t places = 1024;
constinit std::atomic<const FILE*> streams[places]{};

// True if a stream was remembered since the last forget_all_private(). A program may cause
// forget_all_private() far more often than it opens a stream.
constinit std::atomic<bool> any_remembered{false};

std::atomic<const FILE*>& place_of(const FILE* stream) {
  // A FILE is 552 bytes long in glibc: neighbours differ in the bits above 512.
  const auto address = reinterpret_cast<uintptr_t>(stream);
  return streams[(address / 512) % places];
}

}  // namespace

void remember_private(FILE* stream) {
  place_of(stream).store(stream, std::memory_order_relaxed);
  any_remembered.store(true, std::memory_order_release);
}

void forget_private(FILE* stream) {
  if (is_private(stream)) place_of(stream).store(nullptr, std::memory_order_relaxed);
}

void forget_all_private() {
  if (!any_remembered.load(std::memory_order_relaxed)) return;
  any_remembered.exchange(false, std::memory_order_acquire);
  for (std::atomic<const FILE*>& stream : streams) {
    stream.store(nullptr, std::memory_order_relaxed);
  }
}

bool is_private(const FILE* stream) {
  return place_of(stream).load(std::memory_order_relaxed) == stream;
}

}  // namespace sluice::preload
