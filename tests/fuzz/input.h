// Input: the bytes of a fuzzer as the choices of a test. Behind their end all choices are 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace sluice::fuzz {

// A condition that must hold. A fuzzer takes an abort for a finding.
inline void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

class Input {
 public:
  Input(const std::uint8_t* bytes, std::size_t count)
      : bytes_(reinterpret_cast<const char*>(bytes), count) {}

  bool is_empty() const { return bytes_.empty(); }

  // 0 to count - 1, at most 65535.
  std::size_t below(std::size_t count) {
    std::size_t number = 0;
    for (std::size_t most = 1; most < count && !bytes_.empty(); most <<= 8) {
      number = number << 8 | static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
    }
    return number % count;
  }

  std::string_view take(std::size_t count) {
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest() { return take(bytes_.size()); }

 private:
  std::string_view bytes_;
};

}  // namespace sluice::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count);
