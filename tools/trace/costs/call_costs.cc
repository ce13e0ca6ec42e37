#include "trace/costs/call_costs.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "launch/launch.h"
#include "preload/trace/ticks.h"
#include "trace/costs/call_set.h"

namespace sluice::trace {

using preload::Call;

// The functions are called by pointers, as programs call functions through their procedure linkage
// table.
struct CallCosts::Functions {
  decltype(&std::fwrite) fwrite;
  decltype(&std::putc) putc;
  decltype(&std::fputs) fputs;
  decltype(&std::fread) fread;
  decltype(&std::getc) getc;
  decltype(&std::fgets) fgets;
  decltype(&::getline) getline;
};

namespace {

using Clock = std::chrono::steady_clock;
using Stream = std::unique_ptr<std::FILE, decltype(&std::fclose)>;

// As many bytes as stay in the processor's first cache, like a program's own small buffer.
constexpr std::size_t buffer_bytes = 16 * 1024;

// Streams of regular files have a buffer of this size. After each system call for a buffer, the
// next calls take longer.
constexpr std::size_t usual_buffer_bytes = 4096;
constexpr int attempts = 20;

// Larger pieces take most of their time for their bytes, in any order.
constexpr std::size_t max_mixed_bytes = 512;

// Calls in a row that are enough for a time without the clock's own time.
constexpr std::size_t max_calls = 2048;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double measured_clock_s() {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < 1000; ++i) {
    const Clock::time_point start = Clock::now();
    least = std::min(least, seconds_since(start));
  }
  return least;
}

double measured_ticks() {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t start = preload::ticks();
    least = std::min(least, preload::ticks() - start);
  }
  return static_cast<double>(least);
}

template <typename Function>
void find(void* object, const std::string& name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(object, name.c_str()));
  if (function == nullptr)
    throw std::runtime_error(fmt::format("the function {} was not found", name));
}

// The sizes of calls in a row: all alike, or in random order from 1 byte to twice the average. The
// processor cannot foresee a random order, so pieces in memory then cost more than twice as much.
class SizesInARow {
 public:
  SizesInARow(std::size_t average, Sizes kind)
      : average_(average),
        largest_(kind == Sizes::alike ? average : 2 * average - 1),
        sizes_(max_calls, average) {
    shuffle();
  }

  // Makes a new order, so that the processor cannot learn the old one.
  void shuffle() {
    at_ = 0;
    if (largest_ == average_) return;
    std::uniform_int_distribution<std::size_t> any(1, largest_);
    for (std::size_t& size : sizes_) size = any(random_);
  }

  std::size_t next() { return sizes_[at_++ % max_calls]; }
  std::size_t average() const { return average_; }
  std::size_t largest() const { return largest_; }

 private:
  std::size_t average_;
  std::size_t largest_;
  std::vector<std::size_t> sizes_;
  std::size_t at_ = 0;
  std::minstd_rand random_;
};

// A file in memory, with lines of these sizes.
class FileInMemory {
 public:
  explicit FileInMemory(SizesInARow sizes) : file_(::memfd_create("call costs", MFD_CLOEXEC)) {
    std::string content(buffer_bytes, 'x');
    for (std::size_t i = sizes.next(); i <= content.size(); i += sizes.next()) {
      content[i - 1] = '\n';
    }
    const auto written = ::pwrite(file_, content.data(), content.size(), 0);
    is_ready_ = written == static_cast<ssize_t>(content.size());
  }
  ~FileInMemory() {
    if (file_ >= 0) ::close(file_);
  }
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;

  bool is_ready() const { return is_ready_; }
  int get() const { return file_; }

 private:
  int file_;
  bool is_ready_ = false;
};

// A stream of such a file. If its buffer is smaller than the file, some of the calls of the
// measurement go to the kernel.
class BufferedStream {
 public:
  BufferedStream(const char* mode, const SizesInARow& sizes, std::size_t stream_buffer_bytes)
      : file_(sizes), buffer_(stream_buffer_bytes) {
    const int descriptor = file_.is_ready() ? ::dup(file_.get()) : -1;
    if (descriptor >= 0) stream_.reset(::fdopen(descriptor, mode));
    if (stream_) {
      std::setvbuf(stream_.get(), buffer_.data(), _IOFBF, buffer_.size());
    } else if (descriptor >= 0) {
      ::close(descriptor);
    }
  }

  std::FILE* get() const { return stream_.get(); }

  // Goes back to the beginning, with an empty buffer for writing, or a full one for reading.
  void begin_writing() const {
    std::rewind(get());
    std::putc('x', get());  // the buffer exists from now on
  }
  void begin_reading() const {
    std::rewind(get());
    std::ungetc(std::getc(get()), get());
  }

 private:
  FileInMemory file_;
  std::vector<char> buffer_;
  Stream stream_{nullptr, std::fclose};
};

template <typename Prepare, typename CallOnce>
double min_s(SizesInARow& sizes, Prepare prepare, CallOnce call_once) {
  const std::size_t calls = std::min(max_calls, buffer_bytes / sizes.average() - 1);
  double least = std::numeric_limits<double>::max();
  for (int attempt = 0; attempt < attempts; ++attempt) {
    sizes.shuffle();
    prepare();
    const Clock::time_point start = Clock::now();
    for (std::size_t i = 0; i < calls; ++i) call_once();
    least = std::min(least, seconds_since(start) / static_cast<double>(calls));
  }
  return least;
}

// A number of so many digits, if there is one.
long number_of(std::size_t digits) {
  static const std::vector<long> numbers = [] {
    std::vector<long> all{0, 1};
    while (all.size() <= 18) all.push_back(all.back() * 10 + static_cast<long>(all.size() % 10));
    return all;
  }();
  return numbers[std::min(digits, numbers.size() - 1)];
}

template <typename Functions>
double writing_s(const Functions& functions, Call call, SizesInARow sizes, std::size_t buffer) {
  const BufferedStream stream("w", sizes, buffer);
  std::FILE* const file = stream.get();
  if (file == nullptr) return 0;
  const std::string text(sizes.largest(), 'x');
  const char* const text_end = text.c_str() + text.size();
  const auto prepare = [&] { stream.begin_writing(); };
  if (call == Call::fputc) return min_s(sizes, prepare, [&] { functions.putc('x', file); });
  if (call == Call::fprintf) {
    return min_s(sizes, prepare, [&] { std::fprintf(file, "%ld", number_of(sizes.next())); });
  }
  if (call == Call::fputs) {
    return min_s(sizes, prepare, [&] { functions.fputs(text_end - sizes.next(), file); });
  }
  return min_s(sizes, prepare, [&] { functions.fwrite(text.data(), 1, sizes.next(), file); });
}

template <typename Functions>
double reading_s(const Functions& functions, Call call, SizesInARow sizes, std::size_t buffer) {
  const BufferedStream stream("r", sizes, buffer);
  std::FILE* const file = stream.get();
  if (file == nullptr) return 0;
  const auto prepare = [&] { stream.begin_reading(); };
  std::size_t line_bytes = sizes.largest() + 1;
  // NOLINTNEXTLINE(*-no-malloc): getline() may allocate it anew
  std::unique_ptr<char, decltype(&std::free)> line(static_cast<char*>(std::malloc(line_bytes)),
                                                   std::free);
  char* piece = line.get();
  const auto most = static_cast<int>(line_bytes);
  switch (call) {
    case Call::fgetc: return min_s(sizes, prepare, [&] { functions.getc(file); });
    case Call::ungetc:
      return min_s(sizes, prepare, [&] { std::ungetc(functions.getc(file), file); });
    case Call::fread:
      return min_s(sizes, prepare,
                   [&] { static_cast<void>(functions.fread(piece, 1, sizes.next(), file)); });
    case Call::fgets:
      return min_s(sizes, prepare, [&] { static_cast<void>(functions.fgets(piece, most, file)); });
    default:
      return min_s(sizes, prepare,
                   [&] { static_cast<void>(functions.getline(&piece, &line_bytes, file)); });
  }
}

// Makes the compiler believe that the memory may have changed.
template <typename Memory>
Memory* seen_by_others(Memory* memory) {
  asm volatile("" : "+r"(memory) : : "memory");
  return memory;
}

// Puts pieces one after the other into an array, as a program does before it writes the array by
// one call. The array is as large as a usual buffer, so it is written as often.
double gathering_s(Call call, SizesInARow sizes) {
  const FileInMemory file(sizes);
  std::vector<char> array(usual_buffer_bytes);
  const std::string text(sizes.largest(), 'x');
  char* end = nullptr;
  const auto prepare = [&] {
    end = array.data();
    ::lseek(file.get(), 0, SEEK_SET);
  };
  const auto make_room = [&](std::size_t size) {
    if (static_cast<std::size_t>(array.data() + array.size() - end) >= size) return;
    if (::write(file.get(), array.data(), static_cast<std::size_t>(end - array.data())) < 0) return;
    end = array.data();
  };
  const auto gather = [&](std::size_t size) {
    make_room(size);
    std::memcpy(end, seen_by_others(text.data()), size);
    end += size;
  };
  if (call == Call::fputs) {
    const char* const text_end = text.c_str() + text.size();
    return min_s(sizes, prepare,
                 [&] { gather(std::strlen(seen_by_others(text_end - sizes.next()))); });
  }
  if (call == Call::fwrite) return min_s(sizes, prepare, [&] { gather(sizes.next()); });
  // A program has the place of the next byte in a register. In memory, the place itself would take
  // one to three times as long as the byte, from run to run.
  return min_s(sizes, prepare, [&] {
    make_room(1);
    asm volatile("" : "+r"(end));
    *end++ = 'x';
  });
}

// Writes pieces to the buffer of a std::filebuf.
double to_streambuf_s(Call call, SizesInARow sizes) {
  const FileInMemory file(sizes);
  std::filebuf buffer;
  if (!file.is_ready()) return 0;
  buffer.open(fmt::format("/proc/self/fd/{}", file.get()), std::ios::out | std::ios::binary);
  std::streambuf* const streambuf = seen_by_others<std::streambuf>(&buffer);
  const std::string text(sizes.largest(), 'x');
  const auto prepare = [&] { buffer.pubseekpos(0); };
  if (call == Call::fputc) return min_s(sizes, prepare, [&] { streambuf->sputn(text.data(), 1); });
  return min_s(sizes, prepare,
               [&] { streambuf->sputn(text.data(), static_cast<std::streamsize>(sizes.next())); });
}

// Takes pieces out of an array that was read by one call.
class Taking {
 public:
  explicit Taking(const SizesInARow& sizes)
      : sizes_(sizes), file_(sizes), array_(usual_buffer_bytes) {}

  double seconds(Call call) {
    const auto prepare = [&] {
      next_ = end_ = array_.data();
      ::lseek(file_.get(), 0, SEEK_SET);
    };
    switch (call) {
      case Call::fgetc: return min_s(sizes_, prepare, [&] { take_byte(); });
      case Call::fread: return taking_s(prepare, Records{});
      default: return min_s(sizes_, prepare, [&] { find_line(); });
    }
  }

 private:
  bool has(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - next_) >= bytes) return true;
    const auto got = ::read(file_.get(), array_.data(), array_.size());
    next_ = array_.data();
    end_ = next_ + std::max<ssize_t>(got, 0);
    return static_cast<std::size_t>(end_ - next_) >= bytes;
  }
  void take_byte() {
    if (has(1)) *seen_by_others(piece_) = *next_++;
  }
  void take(std::size_t bytes) {
    if (!has(bytes)) return;
    std::memcpy(seen_by_others(piece_), next_, bytes);
    next_ += bytes;
  }

  // The sizes, as measured_size() gives them, of which the compiler knows each. A program takes
  // records of one size, and copies them by a few instructions.
  using Records = std::index_sequence<1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64>;

  template <typename Prepare, std::size_t... known>
  double taking_s(const Prepare& prepare, std::index_sequence<known...>) {
    double taken_s = -1;
    const auto try_size = [&]<std::size_t bytes>(std::integral_constant<std::size_t, bytes>) {
      if (sizes_.largest() != bytes) return;
      taken_s = min_s(sizes_, prepare, [&] {
        sizes_.next();
        take(bytes);
      });
    };
    (try_size(std::integral_constant<std::size_t, known>{}), ...);
    return taken_s >= 0 ? taken_s : min_s(sizes_, prepare, [&] { take(sizes_.next()); });
  }
  void find_line() {
    if (!has(1)) return;
    const void* const line_end =
        std::memchr(seen_by_others(next_), '\n', static_cast<std::size_t>(end_ - next_));
    next_ = line_end == nullptr ? end_ : static_cast<const char*>(line_end) + 1;
  }

  SizesInARow sizes_;
  FileInMemory file_;
  std::vector<char> array_;
  const char* next_ = nullptr;
  const char* end_ = nullptr;
  char piece_[buffer_bytes / 4];
};

template <typename Functions>
double calling_s(const Functions& functions, Call call, const SizesInARow& sizes,
                 std::size_t buffer) {
  return stream_writes.contains(call) ? writing_s(functions, call, sizes, buffer)
                                      : reading_s(functions, call, sizes, buffer);
}

// The two highest bits of the size. A program has many call sites with sizes of their own, and the
// cost of a call hardly depends on some bytes more.
std::size_t measured_size(double bytes) {
  const auto size = static_cast<std::size_t>(std::clamp(bytes, 1.0, buffer_bytes / 4.0));
  const int lower_bits = std::max(0, static_cast<int>(std::bit_width(size)) - 2);
  return size >> lower_bits << lower_bits;
}

}  // namespace

// Another program may interrupt a measurement, so the middle one of several counts.
double measured_tick_s() {
  constexpr double long_enough_s = 50e-6;
  std::array<double, 5> lengths_s{};
  for (double& length_s : lengths_s) {
    const std::uint64_t ticks = preload::ticks();
    const Clock::time_point start = Clock::now();
    double passed_s = 0;
    while (passed_s < long_enough_s) passed_s = seconds_since(start);
    length_s = passed_s / static_cast<double>(preload::ticks() - ticks);
  }
  std::ranges::sort(lengths_s);
  return lengths_s[lengths_s.size() / 2];
}

// The C library takes a stream's lock by a compare-and-swap, notes the owner and how often it holds
// the lock, and releases it by an exchange.
double measured_lock_s() {
  struct Lock {
    std::atomic<int> taken = 0;
    int count = 0;
    void* owner = nullptr;
  };
  static volatile Lock lock;
  constexpr int locks = 2'000;
  std::array<double, 5> lengths_s{};
  for (double& length_s : lengths_s) {
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < locks; ++i) {
      int free = 0;
      lock.taken.compare_exchange_strong(free, 1);
      lock.owner = &lengths_s;
      lock.count = lock.count + 1;
      lock.count = lock.count - 1;
      lock.owner = nullptr;
      lock.taken.exchange(0);
    }
    length_s = seconds_since(start) / locks;
  }
  return *std::ranges::min_element(lengths_s);
}

CallCosts::CallCosts() : clock_s_(measured_clock_s()), ticks_(measured_ticks()) {}

CallCosts::~CallCosts() = default;

// Finds the functions in the C library or in the object of `sluice run`. This process calls the
// object's functions only here. The object stays loaded.
std::unique_ptr<const CallCosts::Functions> CallCosts::find_functions(Way way) {
  void* object = RTLD_DEFAULT;
  if (way == Way::by_sluice_run) {
    const ObjectPath path(path_of_object("libsluice_run.so"));
    object = ::dlopen(path.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (object == nullptr) throw std::runtime_error(::dlerror());
  }
  const char* const end = way == Way::by_unlocked_calls ? "_unlocked" : "";
  auto found = std::make_unique<Functions>();
  find(object, std::string("fwrite") + end, found->fwrite);
  find(object, std::string("putc") + end, found->putc);
  find(object, std::string("fputs") + end, found->fputs);
  find(object, std::string("fread") + end, found->fread);
  find(object, std::string("getc") + end, found->getc);
  find(object, std::string("fgets") + end, found->fgets);
  find(object, "getline", found->getline);  // has no such form
  return found;
}

const CallCosts::Functions& CallCosts::functions_of(Way way) {
  std::unique_ptr<const Functions>& functions = functions_[static_cast<std::size_t>(way)];
  if (!functions) functions = find_functions(way);
  return *functions;
}

double CallCosts::with_system_calls_s(Way way, Call call, std::size_t bytes, Sizes sizes) {
  const SizesInARow in_a_row(bytes, sizes);
  if (way == Way::by_streambuf && stream_writes.contains(call))
    return to_streambuf_s(call, in_a_row);
  if (way == Way::by_the_c_library || way == Way::by_sluice_run) {
    return calling_s(functions_of(way), call, in_a_row, usual_buffer_bytes);
  }
  return stream_writes.contains(call) ? gathering_s(call, in_a_row)
                                      : Taking(in_a_row).seconds(call);
}

// The system calls for the buffer are the same in each way, and their time cancels out. What
// remains is the difference that a program feels, in which each way is slower right after a system
// call.
double CallCosts::measured_s(Way way, Call call, std::size_t bytes, Sizes sizes) {
  if (way == Way::by_the_c_library || way == Way::by_unlocked_calls) {
    const SizesInARow in_a_row(bytes, sizes);
    const double call_s = calling_s(functions_of(way), call, in_a_row, buffer_bytes);
    if (call != Call::ungetc) return call_s;
    return left_of(call_s, calling_s(functions_of(way), Call::fgetc, in_a_row, buffer_bytes));
  }
  const double by_the_library_s =
      in_a_row_s(Way::by_the_c_library, call, static_cast<double>(bytes), sizes);
  const double saved_s = with_system_calls_s(Way::by_the_c_library, call, bytes, sizes) -
                         with_system_calls_s(way, call, bytes, sizes);
  return left_of(by_the_library_s, saved_s);
}

double CallCosts::in_a_row_s(Way way, Call call, double bytes, Sizes sizes) {
  constexpr Call measured[] = {Call::fwrite, Call::fputc, Call::fputs,   Call::fprintf, Call::fread,
                               Call::fgetc,  Call::fgets, Call::getline, Call::ungetc};
  if (std::find(std::begin(measured), std::end(measured), call) == std::end(measured)) return 0;
  const bool is_of_library = call == Call::fprintf || call == Call::ungetc;
  if (is_of_library && way != Way::by_the_c_library) return 0;
  const std::size_t size = measured_size(bytes);
  if (size > max_mixed_bytes) sizes = Sizes::alike;
  const auto [known, is_new] = known_.try_emplace({way, call, size, sizes}, 0);
  if (is_new) known->second = measured_s(way, call, size, sizes);
  return known->second;
}

}  // namespace sluice::trace
