#include "sluice/xxh3.h"

#include <new>

// The functions of xxhash are compiled into this file alone, so the program needs no libxxhash.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sluice {
namespace {

XXH3_state_t& state_in(std::byte* memory) {
  return *std::launder(reinterpret_cast<XXH3_state_t*>(memory));
}

}  // namespace

Xxh3::Xxh3() noexcept {
  static_assert(sizeof(state_) >= sizeof(XXH3_state_t));
  static_assert(alignof(XXH3_state_t) <= 64);
  XXH3_64bits_reset(new (state_.data()) XXH3_state_t);
}

void Xxh3::add(BytesView bytes) {
  XXH3_64bits_update(&state_in(state_.data()), bytes.data(), bytes.size());
}

std::uint64_t Xxh3::value() const noexcept {
  return XXH3_64bits_digest(&state_in(const_cast<std::byte*>(state_.data())));
}

}  // namespace sluice
