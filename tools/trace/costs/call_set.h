// Sets of the functions whose calls a log counts.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "preload/trace/log.h"

namespace sluice::trace {

class CallSet {
 public:
  constexpr CallSet() = default;
  constexpr CallSet(preload::Call call) : bits_(bit_of(call)) {}
  constexpr CallSet(std::initializer_list<preload::Call> calls) {
    for (const preload::Call call : calls) bits_ |= bit_of(call);
  }

  constexpr bool contains(preload::Call call) const { return (bits_ & bit_of(call)) != 0; }

  friend constexpr CallSet operator|(CallSet a, CallSet b) {
    a.bits_ |= b.bits_;
    return a;
  }

  template <typename Function>
  void for_each(Function function) const {
    for (std::uint64_t rest = bits_; rest != 0; rest &= rest - 1) {
      function(static_cast<preload::Call>(std::countr_zero(rest)));
    }
  }

 private:
  static_assert(static_cast<std::size_t>(preload::Call::count) <= 64);
  static constexpr std::uint64_t bit_of(preload::Call call) {
    return std::uint64_t{1} << static_cast<unsigned>(call);
  }

  std::uint64_t bits_ = 0;
};

constexpr CallSet calls_that(preload::Does does) {
  CallSet calls;
  for (std::size_t i = 0; i < static_cast<std::size_t>(preload::Call::count); ++i) {
    const auto call = static_cast<preload::Call>(i);
    if (preload::what_does(call) == does) calls = calls | call;
  }
  return calls;
}

inline constexpr CallSet stream_writes = calls_that(preload::Does::write_to_stream);
inline constexpr CallSet stream_reads = calls_that(preload::Does::read_from_stream);
inline constexpr CallSet direct_writes = calls_that(preload::Does::write);
inline constexpr CallSet direct_reads = calls_that(preload::Does::read);
inline constexpr CallSet all_reads = stream_reads | direct_reads;
inline constexpr CallSet all_writes = stream_writes | direct_writes;
// The calls that give bytes to the kernel: fflush and fclose write what waits in the buffer.
inline constexpr CallSet writing_calls =
    all_writes | CallSet{preload::Call::fflush, preload::Call::fclose};
inline constexpr CallSet at_positions = {preload::Call::pread, preload::Call::preadv,
                                         preload::Call::pwrite, preload::Call::pwritev};
inline constexpr CallSet openings_of_files = {preload::Call::fopen, preload::Call::open};

}  // namespace sluice::trace
