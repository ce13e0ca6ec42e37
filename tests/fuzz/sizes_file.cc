// A file of sizes may have any bytes. The result is a sequence of pieces, or the reason of a
// refusal.
#include <stdexcept>
#include <string>

#include "bench/experiments/pieces/sizes.h"
#include "input.h"
#include "testing/scratch_directory.h"

namespace sluice {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  static const testing::ScratchDirectory directory;
  const std::string path = directory.file("sizes");
  testing::make_file(path, {reinterpret_cast<const char*>(bytes), count});
  constexpr std::uint64_t most = std::uint64_t{1} << 50;
  try {
    bench::SizeSequence sequence = bench::read_size_sequence(path);
    fuzz::require(sequence.bytes() > 0 && sequence.bytes() <= most, "the bytes are in bounds");
    fuzz::require(sequence.operations() > 0 && sequence.operations() <= most,
                  "so are the operations");
    fuzz::require(sequence.largest() <= std::size_t{1} << 30, "so is each size");
    sequence.repeat_to(1'000'000);
    fuzz::require(sequence.bytes() >= 1'000'000, "repeating reaches what was wanted");
  } catch (const std::runtime_error& refused) {
    fuzz::require(std::string(refused.what()).starts_with("replay " + path), "it names the file");
  }
  return 0;
}

}  // namespace sluice
