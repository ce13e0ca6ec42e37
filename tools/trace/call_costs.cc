#include "trace/call_costs.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "launch/launch.h"

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
constexpr int attempts = 20;

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

template <typename Function>
void find(void* object, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(object, name));
  if (function == nullptr)
    throw std::runtime_error(fmt::format("the function {} was not found", name));
}

// A stream whose buffer holds all bytes of the measurement.
class BufferedStream {
 public:
  // A stream for reading holds lines of `bytes` bytes.
  BufferedStream(const char* mode, std::size_t bytes) : buffer_(buffer_bytes) {
    const int descriptor = ::memfd_create("call costs", MFD_CLOEXEC);
    stream_.reset(::fdopen(descriptor, mode));
    if (!stream_) {
      ::close(descriptor);
      return;
    }
    std::string content(buffer_bytes, 'x');
    for (std::size_t i = bytes; i <= content.size(); i += bytes) content[i - 1] = '\n';
    const auto written = ::pwrite(descriptor, content.data(), content.size(), 0);
    if (written != static_cast<ssize_t>(content.size())) stream_.reset();
    if (stream_) std::setvbuf(stream_.get(), buffer_.data(), _IOFBF, buffer_.size());
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
  std::vector<char> buffer_;
  Stream stream_{nullptr, std::fclose};
};

template <typename Prepare, typename CallOnce>
double min_s(std::size_t bytes, Prepare prepare, CallOnce call_once) {
  const std::size_t calls = buffer_bytes / bytes - 1;
  double least = std::numeric_limits<double>::max();
  for (int attempt = 0; attempt < attempts; ++attempt) {
    prepare();
    const Clock::time_point start = Clock::now();
    for (std::size_t i = 0; i < calls; ++i) call_once();
    least = std::min(least, seconds_since(start) / static_cast<double>(calls));
  }
  return least;
}

template <typename Functions>
double writing_s(const Functions& functions, Call call, std::size_t bytes) {
  const BufferedStream stream("w", bytes);
  std::FILE* const file = stream.get();
  if (file == nullptr) return 0;
  const std::string text(bytes, 'x');
  const auto prepare = [&] { stream.begin_writing(); };
  if (call == Call::fputc) return min_s(bytes, prepare, [&] { functions.putc('x', file); });
  if (call == Call::fputs) {
    return min_s(bytes, prepare, [&] { functions.fputs(text.c_str(), file); });
  }
  return min_s(bytes, prepare, [&] { functions.fwrite(text.data(), 1, bytes, file); });
}

template <typename Functions>
double reading_s(const Functions& functions, Call call, std::size_t bytes) {
  const BufferedStream stream("r", bytes);
  std::FILE* const file = stream.get();
  if (file == nullptr) return 0;
  const auto prepare = [&] { stream.begin_reading(); };
  std::size_t line_bytes = bytes + 1;
  // NOLINTNEXTLINE(*-no-malloc): getline() may allocate it anew
  std::unique_ptr<char, decltype(&std::free)> line(static_cast<char*>(std::malloc(line_bytes)),
                                                   std::free);
  char* piece = line.get();
  const auto most = static_cast<int>(line_bytes);
  switch (call) {
    case Call::fgetc: return min_s(bytes, prepare, [&] { functions.getc(file); });
    case Call::fread:
      return min_s(bytes, prepare,
                   [&] { static_cast<void>(functions.fread(piece, 1, bytes, file)); });
    case Call::fgets:
      return min_s(bytes, prepare, [&] { static_cast<void>(functions.fgets(piece, most, file)); });
    default:
      return min_s(bytes, prepare,
                   [&] { static_cast<void>(functions.getline(&piece, &line_bytes, file)); });
  }
}

// The two highest bits of the size. A program has many call sites with sizes of their own, and the
// cost of a call hardly depends on some bytes more.
std::size_t measured_size(double bytes) {
  const auto size = static_cast<std::size_t>(std::clamp(bytes, 1.0, buffer_bytes / 4.0));
  const int lower_bits = std::max(0, static_cast<int>(std::bit_width(size)) - 2);
  return size >> lower_bits << lower_bits;
}

}  // namespace

CallCosts::CallCosts() : clock_s_(measured_clock_s()) {}

CallCosts::~CallCosts() = default;

// Finds the functions in the C library or in the object of `sluice run`. This process calls the
// object's functions only here. The object stays loaded.
std::unique_ptr<const CallCosts::Functions> CallCosts::find_functions(Stdio stdio) {
  void* object = RTLD_DEFAULT;
  if (stdio == Stdio::of_sluice_run) {
    const ObjectPath path(path_of_object("libsluice_run.so"));
    object = ::dlopen(path.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (object == nullptr) throw std::runtime_error(::dlerror());
  }
  auto found = std::make_unique<Functions>();
  find(object, "fwrite", found->fwrite);
  find(object, "putc", found->putc);
  find(object, "fputs", found->fputs);
  find(object, "fread", found->fread);
  find(object, "getc", found->getc);
  find(object, "fgets", found->fgets);
  find(object, "getline", found->getline);
  return found;
}

double CallCosts::in_a_row_s(Stdio stdio, Call call, double bytes) {
  const std::size_t size = measured_size(bytes);
  const auto [known, is_new] = known_.try_emplace({stdio, call, size}, 0);
  if (!is_new) return known->second;
  std::unique_ptr<const Functions>& functions = functions_[static_cast<std::size_t>(stdio)];
  if (!functions) functions = find_functions(stdio);
  switch (call) {
    case Call::fwrite:
    case Call::fputc:
    case Call::fputs: return known->second = writing_s(*functions, call, size);
    case Call::fread:
    case Call::fgetc:
    case Call::fgets:
    case Call::getline: return known->second = reading_s(*functions, call, size);
    default: return 0;
  }
}

}  // namespace sluice::trace
