#include "trace/call_costs.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace sluice::trace {
namespace {

using preload::Call;
using Clock = std::chrono::steady_clock;
using Stream = std::unique_ptr<std::FILE, decltype(&std::fclose)>;

constexpr std::size_t memory_bytes = 1 << 20;
constexpr std::size_t most_calls = 64 * 1024;
constexpr int attempts = 5;

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

// A stream whose buffer holds everything that is done to it.
class BufferedStream {
 public:
  // For reading, it holds lines of `bytes` bytes.
  BufferedStream(const char* mode, std::size_t bytes) : buffer_(memory_bytes) {
    const int descriptor = ::memfd_create("call costs", MFD_CLOEXEC);
    std::string content(memory_bytes, 'x');
    for (std::size_t i = bytes; i <= content.size(); i += bytes) content[i - 1] = '\n';
    if (::pwrite(descriptor, content.data(), content.size(), 0) < 0) return;
    stream_.reset(::fdopen(descriptor, mode));
    if (stream_) std::setvbuf(stream_.get(), buffer_.data(), _IOFBF, buffer_.size());
  }

  std::FILE* get() const { return stream_.get(); }

  // Back to the beginning, with the buffer filled.
  void begin_reading() const {
    std::rewind(get());
    std::ungetc(std::getc(get()), get());
  }

 private:
  std::vector<char> buffer_;
  Stream stream_{nullptr, std::fclose};
};

template <typename CallOnce>
double least_s(std::size_t calls, const std::function<void()>& prepare, CallOnce call_once) {
  double least = std::numeric_limits<double>::max();
  for (int attempt = 0; attempt < attempts; ++attempt) {
    prepare();
    const Clock::time_point start = Clock::now();
    for (std::size_t i = 0; i < calls; ++i) call_once();
    least = std::min(least, seconds_since(start) / static_cast<double>(calls));
  }
  return least;
}

double writing_s(Call call, std::size_t bytes) {
  const BufferedStream stream("w", memory_bytes);
  if (stream.get() == nullptr) return 0;
  const std::size_t calls = std::min(most_calls, memory_bytes / bytes - 1);
  const std::string text(bytes, 'x');
  const auto prepare = [&] {
    std::rewind(stream.get());
    std::putc('x', stream.get());  // there is a buffer from now on
  };
  if (call == Call::fputc) return least_s(calls, prepare, [&] { std::putc('x', stream.get()); });
  if (call == Call::fputs) {
    return least_s(calls, prepare, [&] { std::fputs(text.c_str(), stream.get()); });
  }
  return least_s(calls, prepare, [&] { std::fwrite(text.data(), 1, bytes, stream.get()); });
}

double reading_s(Call call, std::size_t bytes) {
  const BufferedStream stream("r", bytes);
  if (stream.get() == nullptr) return 0;
  const std::size_t calls = std::min(most_calls, memory_bytes / bytes - 1);
  std::vector<char> piece(bytes + 1);
  std::size_t got = 0;
  const auto prepare = [&] { stream.begin_reading(); };
  if (call == Call::fgetc) {
    return least_s(calls, prepare,
                   [&] { got += static_cast<std::size_t>(std::getc(stream.get())); });
  }
  if (call == Call::fread) {
    return least_s(calls, prepare,
                   [&] { got += std::fread(piece.data(), 1, bytes, stream.get()); });
  }
  if (call == Call::fgets) {
    return least_s(calls, prepare, [&] {
      got += std::fgets(piece.data(), static_cast<int>(piece.size()), stream.get()) != nullptr;
    });
  }
  char* line = nullptr;
  std::size_t line_bytes = 0;
  const double cost = least_s(calls, prepare, [&] {
    got += static_cast<std::size_t>(::getline(&line, &line_bytes, stream.get()));
  });
  std::free(line);  // NOLINT(*-no-malloc): getline() allocated it
  return cost;
}

}  // namespace

CallCosts::CallCosts() : clock_s_(measured_clock_s()) {}

double CallCosts::in_a_row_s(Call call, double bytes) {
  const auto size = static_cast<std::size_t>(std::clamp(bytes, 1.0, memory_bytes / 16.0));
  const auto [known, is_new] = known_.try_emplace({call, size}, 0);
  if (!is_new) return known->second;
  switch (call) {
    case Call::fwrite:
    case Call::fputc:
    case Call::fputs: return known->second = writing_s(call, size);
    case Call::fread:
    case Call::fgetc:
    case Call::fgets:
    case Call::getline: return known->second = reading_s(call, size);
    default: return 0;
  }
}

}  // namespace sluice::trace
