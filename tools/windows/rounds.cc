#include <chrono>
#include <cstddef>
#include <stdexcept>

#include "bench/pattern.h"
#include "sluice/files.h"
#include "windows/row.h"

namespace sluice::bench {
namespace {

void expect_pattern(const WindowsRow& row, const std::string& path) {
  std::string found;
  read_file(path, found).throw_if_error();
  bool is_right = found.size() == row.bytes;
  for (std::size_t i = 0; is_right && i < found.size(); ++i) {
    is_right = static_cast<unsigned char>(found[i]) == byte_at(i);
  }
  if (!is_right) throw std::runtime_error(row.name + " wrote the wrong bytes");
}

void run_one(const WindowsRow& row, const std::string& path, bool is_counted,
             WindowsResult& result) {
  const auto begin = std::chrono::steady_clock::now();
  result.calls = row.run(path);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  if (is_counted) result.seconds.push_back(taken.count());
  expect_pattern(row, path);
}

}  // namespace

std::vector<WindowsResult> run_rows(const WindowsExperiment& experiment, std::uint64_t rounds,
                                    const std::string& path) {
  std::vector<WindowsResult> results;
  for (const WindowsRow& row : experiment.rows) results.push_back({row.name, row.bytes, 0, {}});
  for (std::uint64_t round = 0; round <= rounds; ++round) {
    for (std::size_t turn = 0; turn < results.size(); ++turn) {
      const std::size_t i = (round + turn) % results.size();
      run_one(experiment.rows[i], path, round != 0, results[i]);
    }
  }
  return results;
}

}  // namespace sluice::bench
