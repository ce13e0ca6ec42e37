#include "bench/stored_bytes.h"

#include <utility>

namespace sluice::bench {
namespace {

std::optional<std::uint64_t> noted;

}  // namespace

void note_stored_bytes(std::uint64_t bytes) { noted = bytes; }

std::optional<std::uint64_t> take_noted_stored_bytes() {
  return std::exchange(noted, std::nullopt);
}

}  // namespace sluice::bench
