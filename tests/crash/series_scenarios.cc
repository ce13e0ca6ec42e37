// The durability of a compressed file, which has no seek table before it is closed.
#include <string>

#include "scenario.h"
#include "sluice/series.h"
#include "testing/series_values.h"

namespace sluice::crash {
namespace {

// ---- a series that grows; its length without compression is acknowledged ----

constexpr const char* compressed = "compressed";

const std::string& all_numbers() {
  static const std::string numbers = testing::series_of_values(
      SeriesType::float64, testing::SeriesValues::smooth, std::size_t{1} << 20);
  return numbers;
}

void flush_series(Run& run) {
  run.begin();
  Writer writer;
  run.expect_ok(open_compressed(writer, run.file(compressed), series<double>(),
                                {.frame_bytes = 4096, .frames_at_a_time = 3}));
  for (std::uint64_t step = 0; step < run.steps(); ++step) {
    const std::string_view left = std::string_view(all_numbers()).substr(writer.position());
    writer.write(left.substr(0, run.any(9) == 0 ? run.any(20'000) : run.any(200)));
    run.expect_ok(writer.flush(FlushTo::storage));
    run.acknowledge(writer.position());
  }
  run.expect_ok(writer.close());
}

void check_series(const std::string& folder, const Told& told) {
  if (told.empty()) return;
  Reader reader;
  expect(open_decompressed(reader, folder + "/" + compressed, {&series<double>()}).ok(),
         "the file is a series");
  std::string numbers(static_cast<std::size_t>(largest(told)), '\0');
  const std::size_t bytes = reader.read(std::as_writable_bytes(std::span(numbers)));
  expect(bytes == numbers.size(),
         std::to_string(numbers.size()) + " bytes can be read: " + std::to_string(bytes) + " can");
  expect(all_numbers().starts_with(numbers), "the numbers are those that were written");
}

constexpr Scenario scenarios[] = {{"flush_series", flush_series, check_series}};

}  // namespace

std::span<const Scenario> series_scenarios() { return scenarios; }

}  // namespace sluice::crash
