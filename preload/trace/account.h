// Counting and timing one call.
//
// Every call that only copies to or from a buffer is counted, and one in copies_per_timed is timed:
// such a call takes some nanoseconds, so reading the clock would be most of the measured time. A
// call that goes to the kernel is always timed. For a long call, and now and then for a short one,
// the hook also asks for the processor time. The time of the call minus its processor time is the
// time in which the thread slept.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "files.h"
#include "hook.h"
#include "log.h"
#include "recorder.h"
#include "sites.h"
#include "sizes.h"
#include "ticks.h"

namespace sluice::preload {

// The entry of the log that counts this call; each thread has its own. nullptr if nothing is
// recorded, for example inside of the recorder's own calls.
Usage* find_usage_of_stream(Call call, FILE* stream, Caller caller);
Usage* usage_of_descriptor(Call call, int descriptor, Caller caller);
inline constexpr int no_descriptor = -1;  // of calls that have none
inline constexpr int no_place = -1;       // among the arguments

// A call that this thread has made. A loop makes the same calls again and again, and comparing
// these fields is all that the hook then does to find the usage.
struct KnownCall {
  uint64_t path;       // path_of() the call: for the program's own code, the return address
  const void* object;  // the stream, or the descriptor
  Usage* usage;
  uint32_t generation;  // of the descriptor
  uint32_t checked;     // generations_now() when the generation was last compared
  uint16_t site;        // 0: there is no call
  Call call;

  bool is_like(uint64_t other_path, const void* other_object, Call other_call) const {
    return __builtin_expect(path == other_path, 1) && __builtin_expect(object == other_object, 1) &&
           __builtin_expect(call == other_call, 1);
  }
  bool is_like(const KnownCall& other) const {
    return is_like(other.path, other.object, other.call);
  }
};

// The last calls of a thread. A loop may have several call sites, and use several streams.
struct KnownCalls {
  static constexpr int bits = 9;
  KnownCall call[1 << bits];
  KnownStack stack;

  static size_t place_of(uint64_t path, const void* object) {
    return (path + reinterpret_cast<uintptr_t>(object)) * 0x9E3779B97F4A7C15 >> (64 - bits);
  }
};
[[gnu::visibility("hidden")]] extern constinit thread_local KnownCalls* known_calls;

// The one of the last byte. A loop over bytes mostly makes the same call again.
[[gnu::visibility("hidden")]] extern constinit thread_local KnownCall* last_byte_call;

// The functions below return nullptr if the call is not known. They make no call, so that the hooks
// of single bytes and of copies need no stack frame.

// A call out of a library that hides its callers has no return address for its path, and is not
// known here.
inline KnownCall* known_own_call(Call call, const void* object, const void* caller) {
  const auto path = reinterpret_cast<uintptr_t>(caller);
  KnownCall& known = known_calls->call[KnownCalls::place_of(path, object)];
  return known.is_like(path, object, call) ? &known : nullptr;
}

// The known call out of such a library. If the call has not come by the known places, its path is
// not known.
[[gnu::always_inline]] inline KnownCall* known_library_call(Call call, const void* object,
                                                            Caller caller) {
  KnownCalls& calls = *known_calls;
  for (const KnownPlaces& places : calls.stack.places_of(caller)) {
    if (places.caller.frame != caller.frame || places.caller.address != caller.address) continue;
    const uint64_t path = places.path();
    const size_t place = KnownCalls::place_of(path, object);
    for (size_t i = 0; i < 2; ++i) {
      KnownCall& known = calls.call[place ^ i];
      if (known.is_like(path, object, call)) return &known;
    }
  }
  return nullptr;
}
// The usage of a known call. nullptr if a generation has changed since the call was known:
// find_usage_of_stream() then looks at it.
inline Usage* usage_of(const KnownCall* known) {
  return known != nullptr && known->checked == generations_now() ? known->usage : nullptr;
}

inline Usage* usage_of_byte_call(Call call, const FILE* stream, const void* caller) {
  if (!last_byte_call->is_like(reinterpret_cast<uintptr_t>(caller), stream, call)) [[unlikely]] {
    KnownCall* const known = known_own_call(call, stream, caller);
    if (known == nullptr) return nullptr;
    last_byte_call = known;
  }
  return usage_of(last_byte_call);
}

inline Usage* usage_of_stream(Call call, FILE* stream, Caller caller) {
  Usage* const known = usage_of(known_own_call(call, stream, caller.address));
  return known != nullptr ? known : find_usage_of_stream(call, stream, caller);
}

// Of a hook with a prototype.
#define SLUICE_CALLER \
  Caller { __builtin_return_address(0), __builtin_frame_address(0) }

// Of a hook with a prototype that mostly needs no stack frame: where the frame would begin.
#define SLUICE_FRAMELESS_CALLER \
  Caller { __builtin_return_address(0), __builtin_dwarf_cfa() }

inline unsigned size_class(uint64_t bytes) {
  const unsigned bits = bytes == 0 ? 0 : 64u - static_cast<unsigned>(__builtin_clzll(bytes));
  return bits < size_classes ? bits : size_classes - 1;
}

inline void count_bytes(Usage& usage, uint64_t bytes) {
  usage.bytes += bytes;
  ++usage.sizes[size_class(bytes)];
}

inline void count_written(Usage& usage, uint64_t bytes) {
  count_bytes(usage, bytes);
  if (sizes != nullptr && S_ISREG(log->file(usage.file).kind)) [[unlikely]]
    add_sizes(bytes, 1);
}

inline constexpr uint64_t timed_copies_per_moment = 16;

// Adds the time of copying to the present moment.
void note_copying(uint64_t ticks);

// A thread that is interrupted while a call is timed seems to have spent milliseconds on it; one
// such sample would weigh more than all others.
inline void count_timed_copy(Usage& usage, uint64_t taken, uint64_t bytes) {
  const uint64_t most = 2000 + bytes;
  if (taken > most) taken = most;
  usage.timed_copy_ticks += taken;
  if (usage.timed_copies++ % timed_copies_per_moment != 0) return;
  note_copying(taken * copies_per_timed);
}

// Makes a call that only copies `bytes`, after it has waited for a lock. Work() is timed; quick()
// does the same, and is not. This function is inline, because passing the captures would take
// longer than the rest.
template <typename Work, typename Quick>
[[gnu::always_inline]] inline auto copying(Usage& usage, uint64_t bytes, const Work& work,
                                           const Quick& quick, uint64_t waited_ticks = 0) {
  if (usage.copies++ % copies_per_timed != 0) [[likely]]
    return quick();
  const uint64_t start = ticks();
  const auto result = work();
  count_timed_copy(usage, ticks() - start + waited_ticks, bytes);
  return result;
}

// Counts a call that copies, and returns true. If the call has to be timed, it returns false and
// counts nothing.
inline bool counts_copy_untimed(Usage& usage) {
  if (usage.copies % copies_per_timed == 0) return false;
  ++usage.copies;
  return true;
}

// The time by the clock and the processor time of a thread, when it has last asked for both.
struct ThreadTimes {
  uint64_t clock_ns;  // 0: it has never asked
  uint64_t processor_ns;
};
[[gnu::visibility("hidden")]] extern constinit thread_local ThreadTimes last_asked;

// When the thread has last read both the clock and the count of ticks(), and how fast the count was
// then.
struct Seen {
  Instant at;
  double ns_per_tick;
  uint64_t ticks;  // for so many ticks more, the count alone tells the time
};
[[gnu::visibility("hidden")]] extern constinit thread_local Seen last_seen;

// The time by the clock when the thread's last call to the kernel ended; 0 before the first one.
[[gnu::visibility("hidden")]] extern constinit thread_local uint64_t last_end_ns;

// The time of all calls to the kernel that the thread has counted, and of counting them.
[[gnu::visibility("hidden")]] extern constinit thread_local uint64_t counted_ns;

// Asking for the processor time is a system call, which takes longer than many of the calls that
// are measured. So it is asked for at the first calls of a kind, and then at one call in about this
// time of such calls.
inline constexpr uint64_t ns_per_timed = 20'000;

// True if the next call that goes to the kernel is to be timed by the processor's time too.
inline bool is_next_to_be_timed(const Usage& usage) {
  return usage.slow_calls >= usage.next_timed || last_asked.clock_ns == 0;
}

// The system calls that a call went to, and the bytes that they moved.
struct Transfer {
  uint64_t system_calls;
  uint64_t written_bytes;
  uint64_t read_bytes;
};

// Reads the clock and sets last_seen.
void see_now();

// True for the first calls that open a file, and then now and then: their usage is not known before
// they return.
bool is_opening_to_be_timed();

// A call that goes to the kernel, or may go there. Reading the count of ticks() takes less time
// than reading the clock. So the clock is read only when the call has returned and is known to have
// gone to the kernel, and only if it was not read shortly before.
class SlowCall {
 public:
  // The call has waited for a lock before.
  explicit SlowCall(Usage& usage, uint64_t waited_ticks = 0)
      : SlowCall(is_next_to_be_timed(usage), waited_ticks) {
    ++usage.slow_calls;
  }

  // For a call that is not counted yet. `timed`: the processor time is asked for before the call.
  explicit SlowCall(bool timed, uint64_t waited_ticks = 0)
      : timed_(timed), after_ns_(last_end_ns), counted_before_ns_(counted_ns) {
    if (timed_) processor_ns_ = processor_ns();
    if (last_seen.at.ns == 0) [[unlikely]]
      see_now();
    seen_ns_ = last_seen.at.ns;
    start_ticks_ = ticks() - waited_ticks;
  }

  uint64_t ticks_until_now() const { return ticks() - start_ticks_; }

  // To be called when the call has returned.
  void stop();

  // Adds the time of the call, and what it has transferred, to the usage and to the timeline.
  void add_to(Usage& usage, const Transfer& transfer) const;

  void finish(Usage& usage, const Transfer& transfer) {
    stop();
    add_to(usage, transfer);
  }

 private:
  // What the thread has worked during the call, which was not asked for before the call.
  uint64_t worked_since_asked(uint64_t processor_now_ns) const;

  bool timed_;
  bool long_ = false;
  uint64_t after_ns_;  // the thread's last call to the kernel had ended by then
  uint64_t counted_before_ns_;
  uint64_t seen_ns_;  // the clock was read before the call
  uint64_t start_ticks_;
  uint64_t start_ns_ = 0;
  Instant end_{};
  uint64_t processor_ns_ = 0;
};

enum class Direction { none, in, out };

// Makes a call that is one system call, and counts it. Its result is negative if it has failed, and
// is the number of bytes if it moves bytes.
template <Direction direction, typename Work>
auto transfer(Usage* usage, Work work) {
  if (usage == nullptr) return work();
  SlowCall slow(*usage);
  const auto result = work();
  const uint64_t bytes = result > 0 ? static_cast<uint64_t>(result) : 0;
  slow.finish(*usage,
              {1, direction == Direction::out ? bytes : 0, direction == Direction::in ? bytes : 0});
  if (direction == Direction::out) count_written(*usage, bytes);
  if (direction == Direction::in) count_bytes(*usage, bytes);
  if (result < 0) ++usage->failures;
  return result;
}

template <typename Work>
auto control(Usage* usage, Work work) {
  return transfer<Direction::none>(usage, work);
}

// The descriptor of the call is the argument at this place. Without a place it has none.
inline Usage* usage_of(Call call, const Arguments& arguments, int place = 0) {
  const int descriptor = place == no_place ? no_descriptor : arguments.number(place);
  return usage_of_descriptor(call, descriptor, arguments.caller());
}

// Hooks of calls that are one system call. PLACE is that of the descriptor, as for usage_of().
// RESULT is the type of the result.
#define SLUICE_TRANSFERS(work, CALL, PLACE, DIRECTION, RESULT, names)        \
  SLUICE_WORK(long, work) {                                                  \
    Usage* const usage = usage_of(Call::CALL, arguments, PLACE);             \
    const auto call = [&] { return static_cast<RESULT>(arguments.call()); }; \
    return transfer<Direction::DIRECTION>(usage, call);                      \
  }                                                                          \
  SLUICE_AROUND(work, names)

// The usages of one file by all threads, the latest first; nullptr ends them.
Usage* first_usage_of(uint32_t file);
Usage* usage_after(const Usage& usage);

// A call that opens a file has returned this descriptor.
void note_opened(int descriptor, const Name& as);

// To be called before the program runs, once the log has begun.
void begin_threads();

// To be called in a forked child: the usages of its threads are in the log of the parent.
void forget_usages();

}  // namespace sluice::preload
