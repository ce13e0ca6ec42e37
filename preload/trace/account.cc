#include "account.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "files.h"
#include "keep_errno.h"
#include "place_table.h"
#include "sites.h"
#include "stream.h"

extern "C" void* __libc_stack_end;

namespace sluice::preload {
namespace {

SLUICE_FAR constinit KnownCalls none{};  // of a thread that has no memory of its own

// Each thread has memory of its own, from the kernel: the program's malloc may be of any kind, and
// may be at work when a signal's handler comes here. Memory that a hook needs lies here as well,
// because a handler's stack may be small.
struct Thread {
  uint32_t number;       // in the log; 0 until the thread makes its first call
  uint32_t other_files;  // see may_have_another_caller()
  bool busy;
  Unwound unwound;
  KnownCalls known;
  FileName name;
};

constinit thread_local Thread* thread = nullptr;
constinit thread_local bool creating = false;

// Below the first thread's stack the kernel leaves at least this much free for it to grow.
constexpr uintptr_t first_stack_bytes = 64 << 20;

// Frees a thread's table when the thread ends, if the kernel may be asked to do so. The counts of
// the table are in the log.
void forget_thread(void* memory) {
  thread = nullptr;
  known_calls = &none;
  last_byte_call = none.call;
  if (!has_entered_seccomp()) munmap(memory, sizeof(Thread));
}

constinit pthread_key_t thread_key = 0;
constinit bool has_thread_key = false;

// glibc keeps the values of later keys in memory from malloc.
constexpr pthread_key_t keys_without_malloc = 32;

Thread* new_thread() {
  if (creating) return nullptr;  // a handler has interrupted it
  creating = true;
  const KeepErrno kept;
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  void* const memory = mmap(nullptr, sizeof(Thread), PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory != MAP_FAILED) {
    auto* const fresh = static_cast<Thread*>(memory);
    // A few calls use all of these pages. One by one, the kernel would take longer to give them.
    madvise(memory, offsetof(Thread, known.stack.places), MADV_POPULATE_WRITE);
    if (has_thread_key) pthread_setspecific(thread_key, memory);
    thread = fresh;
    known_calls = &fresh->known;
    see_now();
  }
  creating = false;
  return thread;
}

// nullptr if nothing is to be recorded now.
Thread* this_thread() {
  if (!is_recording()) return nullptr;
  Thread* found = thread;
  if (found == nullptr) [[unlikely]]
    found = new_thread();
  if (found == nullptr || found->busy) return nullptr;
  if (found->number == 0) [[unlikely]]
    found->number = __atomic_add_fetch(&log->threads, 1, __ATOMIC_RELAXED);
  return found;
}

SLUICE_FAR constinit FarPlaces<max_usages> far_usages{};
using Usages = PlaceTable<far_usages>;
constinit Usages usages{};

// The calls of a kind that have gone to the kernel, at all places of the process. Threads may lose
// each other's additions.
struct Kind {
  uint64_t calls;
  uint64_t ns;
};
constinit Kind kinds[static_cast<size_t>(Call::count)]{};

// An odd number, so that calls that take turns are all timed.
uint64_t calls_per_timed(Call call) {
  constexpr uint64_t always = 4;
  constexpr uint64_t most = 63;
  const Kind& kind = kinds[static_cast<size_t>(call)];
  if (kind.calls < always) return 1;
  const uint64_t calls = ns_per_timed * kind.calls / (kind.ns + 1);
  return (calls < most ? calls : most) | 1;
}

void add_to_file(uint32_t usage, FileEntry& file) {
  const std::atomic_ref last(file.last_usage);
  uint32_t& next = log->usage(usage).next;
  next = last;
  while (!last.compare_exchange_weak(next, usage)) continue;
}

// A program that uses thousands of files has entries of its own for most of them. The rest of the
// table is for all further files together: so their calls still count for their call sites.
constexpr uint32_t usages_of_single_files = max_usages / 4 * 3;

// An entry of this thread for the same site, file and function is used again: a stream that is
// opened and closed for every record comes here many times.
Usage& find_usage(Thread& of, uint32_t site, uint32_t file, Call call) {
  const uint64_t hash =
      ((uint64_t{site} * 8191 + file) * 127 + of.number) * 31 + static_cast<uint64_t>(call);
  const auto add = [&] {
    const bool may_add = file == other_files || log->usages < usages_of_single_files;
    const uint32_t place = may_add ? new_usage() : Usages::last_place;
    if (place == Usages::last_place) return place;
    Usage& usage = log->usage(place);
    usage.site = site;
    usage.file = file;
    usage.thread = of.number;
    usage.call = call;
    usage.next_timed = hash % calls_per_timed(call);  // usages of few calls are not all timed
    add_to_file(place, log->file(file));
    return place;
  };
  const auto is_it = [&](uint32_t known) {
    const Usage& usage = log->usage(known);
    return usage.site == site && usage.file == file && usage.thread == of.number &&
           usage.call == call;
  };
  const uint32_t place = usages.find(hash, is_it, add);
  if (place != Usages::last_place) return log->usage(place);
  if (file != other_files) {
    note_other_file(log->file(file).kind, log->file(file).flags);
    return find_usage(of, site, other_files, call);
  }
  Usage& rest = log->usage(Usages::last_place);
  rest.call = Call::other;  // for any site and file
  return rest;
}

// Unwinding needs room on the present stack. A signal handler may run on a small stack of
// its own. The kernel tells how much room that stack has left.
bool may_unwind(const void* frame) {
  constexpr size_t enough = 16384;
  stack_t stack{};
  if (sigaltstack(nullptr, &stack) != 0 || (stack.ss_flags & SS_ONSTACK) == 0) return true;
  const auto left = static_cast<const char*>(frame) - static_cast<const char*>(stack.ss_sp);
  return left >= 0 && static_cast<size_t>(left) >= enough;
}

// There are two places for a call, because two call sites of a loop may have the same hash.
KnownCall& known_call(Thread& of, const KnownCall& wanted) {
  const size_t first = KnownCalls::place_of(wanted.path, wanted.object);
  KnownCall& known = of.known.call[first];
  return known.is_like(wanted) || known.site == 0 ? known : of.known.call[first ^ 1];
}

bool is_writing(Call call) {
  return what_does(call) == Does::write_to_stream || what_does(call) == Does::write ||
         call == Call::fflush || call == Call::sendfile || call == Call::copy_file_range;
}

// A function of a library may now work for another place of the program. If its descriptor leads to
// another file than before, the stack is looked at again, but not for thousands of files.
bool may_have_another_caller(Thread& of, const KnownCall& known, Caller caller, uint32_t file) {
  constexpr uint32_t most = 256;
  const bool is_by_library = !program.contains(reinterpret_cast<uintptr_t>(caller.address));
  return is_by_library && known.usage->file != file && of.other_files++ < most;
}

[[gnu::noinline]] Usage* learn_call(Thread& of, KnownCall& known, const KnownCall& wanted,
                                    int descriptor, Caller caller) {
  const KeepErrno kept;
  const uint64_t start_ns = now_ns();
  of.busy = true;
  const uint32_t file = file_of(descriptor, of.name);
  const bool is_known = known.is_like(wanted) && !may_have_another_caller(of, known, caller, file);
  const uint32_t site =
      is_known ? known.site : site_of_this_call(caller, may_unwind(caller.frame), of.unwound);
  if (is_writing(wanted.call)) note_flags(descriptor);
  Usage& usage = find_usage(of, site, file, wanted.call);
  const bool is_standard = descriptor >= 0 && descriptor <= STDERR_FILENO;
  if (is_standard && usage.file != other_files) usage.standard = 1;
  known = wanted;
  known.usage = &usage;
  known.site = static_cast<uint16_t>(site);
  of.busy = false;
  // The recorder's own work is no work of the program between its calls.
  if (last_end_ns != 0) last_end_ns += now_ns() - start_ns;
  return &usage;
}

// True if the descriptor still leads to the same file.
bool is_valid(KnownCall& known, int descriptor) {
  const uint32_t now = generations_now();
  if (known.checked != now && known.generation != generation_of(descriptor)) return false;
  known.checked = now;
  return true;
}

inline Usage* usage_of(Call call, const void* object, int descriptor, Caller caller) {
  KnownCall* last = known_own_call(call, object, caller.address);
  if (last == nullptr) last = known_library_call(call, object, caller);
  if (last != nullptr && is_valid(*last, descriptor)) return last->usage;
  const uint32_t checked = generations_now();  // before the question of this_thread()
  const uint32_t generation = generation_of(descriptor);
  Thread* const of = this_thread();
  if (of == nullptr) return nullptr;
  const uint64_t path = last != nullptr ? last->path : path_of(caller, of->known.stack);
  const KnownCall wanted{path, object, nullptr, generation, checked, 0, call};
  KnownCall& known = known_call(*of, wanted);
  if (known.is_like(wanted) && known.generation == generation) [[likely]]
    return known.usage;
  return learn_call(*of, known, wanted, descriptor, caller);
}

// If the count has jumped since the thread has last read it, the result may be longer or shorter
// than the ticks took, but is no longer than `most_ns`.
uint64_t ns_of(uint64_t ticks, uint64_t most_ns) {
  const double ns = static_cast<double>(static_cast<int64_t>(ticks)) * last_seen.ns_per_tick;
  if (!(ns > 0)) return 0;  // also if it is no number
  return ns < static_cast<double>(most_ns) ? static_cast<uint64_t>(ns) : most_ns;
}

// The count is as fast as it was when the clock was last read.
Instant present() {
  const uint64_t now = ticks();
  const uint64_t passed = now - last_seen.at.ticks;
  if (passed >= last_seen.ticks) {
    is_told_to_stop();
    see_now();
    return last_seen.at;
  }
  return {now, last_seen.at.ns + ns_of(passed, UINT64_MAX)};
}

void add_processor_time(Usage& usage, uint64_t taken, uint64_t worked, bool is_long) {
  if (is_long) {
    ++usage.long_calls;
    usage.long_ns += taken;
    usage.long_cpu_ns += worked;
  } else {
    ++usage.timed_slow_calls;
    usage.timed_slow_ns += taken;
    usage.timed_slow_cpu_ns += worked;
  }
}

}  // namespace

constinit thread_local KnownCalls* known_calls = &none;
constinit thread_local KnownCall* last_byte_call = none.call;
constinit thread_local ThreadTimes last_asked{};
constinit thread_local Seen last_seen{};
constinit thread_local uint64_t last_end_ns = 0;
constinit thread_local uint64_t counted_ns = 0;

Usage* find_usage_of_stream(Call call, FILE* stream, Caller caller) {
  // The stream lies in memory, or uses functions of the program's own.
  if ((stream->_flags & stream_is_file) == 0 || stream->_fileno < 0) return nullptr;
  return usage_of(call, stream, stream->_fileno, caller);
}

Usage* usage_of_descriptor(Call call, int descriptor, Caller caller) {
  const auto object = reinterpret_cast<const void*>(static_cast<intptr_t>(descriptor));
  return usage_of(call, object, descriptor, caller);
}

Usage* first_usage_of(uint32_t file) {
  const uint32_t place = __atomic_load_n(&log->file(file).last_usage, __ATOMIC_ACQUIRE);
  return place == 0 ? nullptr : &log->usage(place);
}

Usage* usage_after(const Usage& usage) {
  return usage.next == 0 ? nullptr : &log->usage(usage.next);
}

void note_copying(uint64_t ticks) {
  const uint64_t now = now_ns();
  add_to_moment(now, now, {0, 0, ticks, 0, 0});
  is_told_to_stop();
}

// The thread has worked at least so long in this call: it slept no longer than in all the time
// since it last asked for both times. Its calls in between were short, so little is missing.
uint64_t SlowCall::worked_since_asked(uint64_t processor_now_ns) const {
  const uint64_t taken = end_.ns - start_ns_;
  // The time by the ticks may have been ahead of the clock then.
  const uint64_t passed = end_.ns > last_asked.clock_ns ? end_.ns - last_asked.clock_ns : 0;
  const uint64_t worked = processor_now_ns - last_asked.processor_ns;
  const uint64_t slept = passed > worked ? passed - worked : 0;
  return slept < taken ? taken - slept : 0;
}

void SlowCall::stop() {
  constexpr uint64_t long_ns = 100'000;
  end_ = present();
  start_ns_ = end_.ns - ns_of(end_.ticks - start_ticks_, end_.ns - seen_ns_);
  last_end_ns = end_.ns;
  long_ = end_.ns - start_ns_ >= long_ns && last_asked.clock_ns != 0;
  if (!timed_ && !long_) return;
  const uint64_t now = processor_ns();
  processor_ns_ = timed_ ? now - processor_ns_ : worked_since_asked(now);
  last_asked = {end_.ns, now};
}

void SlowCall::add_to(Usage& usage, const Transfer& transfer) const {
  // Calls out of this one, as those of a filter of scandir(), have counted their own time.
  const uint64_t passed = end_.ns - start_ns_;
  const uint64_t within = counted_ns - counted_before_ns_;
  const uint64_t taken = within < passed ? passed - within : 0;
  counted_ns += taken;
  if (__libc_single_threaded == 0) log->several_threads = 1;
  usage.slow_ns += taken;
  // A flush of nothing, for example, does not end the program's work. To close a file does.
  const bool enters_kernel = transfer.system_calls > 0 || usage.call == Call::fclose;
  if (!enters_kernel) {
    last_end_ns = after_ns_;
  } else if (after_ns_ != 0 && start_ns_ > after_ns_) {
    usage.before_ns += start_ns_ - after_ns_;
  }
  usage.system_calls += transfer.system_calls;
  usage.system_bytes += transfer.written_bytes + transfer.read_bytes;
  ++kinds[static_cast<size_t>(usage.call)].calls;
  kinds[static_cast<size_t>(usage.call)].ns += taken;
  Moment moment{transfer.written_bytes, transfer.read_bytes, 0, taken, 0};
  if (timed_ || long_) {
    const uint64_t worked = processor_ns_ < taken ? processor_ns_ : taken;
    add_processor_time(usage, taken, worked, long_);
    moment.system_ns = worked;
    moment.sleep_ns = taken - worked;
  }
  if (timed_) usage.next_timed = usage.slow_calls + calls_per_timed(usage.call) - 1;
  add_to_moment(start_ns_, end_.ns, moment);
  constexpr uint64_t most_own_ns = 1'000'000;
  const uint64_t own_ns = ns_of(ticks() - end_.ticks, most_own_ns);
  counted_ns += own_ns;
  if (enters_kernel) last_end_ns = end_.ns + own_ns;
}

// The thread may be interrupted before it reads the clock, or the count may jump. So what was seen
// in some time serves no longer than that time, and a short one.
void see_now() {
  constexpr uint64_t most_ticks = 250'000;
  constexpr uint64_t never_ticks = uint64_t{1} << 32;  // in a row, without a jump
  const Instant before = last_seen.at;
  const Instant now{.ticks = ticks(), .ns = now_ns()};
  constexpr uint64_t few_ticks = 1000;
  const uint64_t reading = ticks() - now.ticks;
  const uint64_t passed = now.ticks - before.ticks;
  const bool is_sure = passed < never_ticks && reading < std::max(few_ticks, passed / 16);
  const double ns_per_tick =
      static_cast<double>(now.ns - before.ns) / static_cast<double>(static_cast<int64_t>(passed));
  last_seen = {now, ns_per_tick, is_sure ? std::min(passed, most_ticks) : 0};
}

bool is_opening_to_be_timed() {
  constexpr uint32_t always = 16;
  constexpr uint32_t openings_per_timed = 15;
  static uint32_t openings = 0;
  const uint32_t before = __atomic_fetch_add(&openings, 1, __ATOMIC_RELAXED);
  return before < always || before % openings_per_timed == 0;
}

void begin_threads() {
  has_thread_key = pthread_key_create(&thread_key, forget_thread) == 0;
  if (has_thread_key && thread_key >= keys_without_malloc) {
    pthread_key_delete(thread_key);
    has_thread_key = false;
  }
  if (this_thread() == nullptr) return;
  const auto end = reinterpret_cast<uintptr_t>(__libc_stack_end);
  thread->known.stack.range = {end - first_stack_bytes, end};
}

void forget_usages() {
  if (thread != nullptr) {
    thread->number = 0;
    clear_table(thread->known.call);
  }
  last_asked = {};  // the processor time of a child's thread begins at 0
  usages.clear();
}

void note_opened(int descriptor, const Name& as) {
  Thread* const of = this_thread();
  if (of == nullptr) return;
  of->busy = true;
  file_opened(descriptor, as, of->name);
  last_end_ns = now_ns();  // of the object's own work
  of->busy = false;
}

}  // namespace sluice::preload
