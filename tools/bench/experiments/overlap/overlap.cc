// `overlap`: values are computed and written at the same time.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/data.h"
#include "bench/experiments/output/pattern_output.h"
#include "bench/experiments/output/simulated_disk.h"
#include "bench/experiments/overlap/overlap_rows.h"
#include "bench/experiments/registry.h"
#include "command_line/quantity.h"

namespace sluice::bench {
namespace {

using SharedWork = std::shared_ptr<ValueWork>;

void raw_write_to_slow_disk(const ValueWork& work) {
  SimulatedDisk disk = slow_disk(work);
  std::vector<unsigned char> block;
  each_byte(raw_write_block_bytes, [&](unsigned char byte) { block.push_back(byte); });
  for (std::uint64_t left = work.values * value_bytes; left != 0;) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size()));
    disk.write(block.data(), piece);
    left -= piece;
  }
  disk.close();
}

Strategy strategy_of(const ValueRow& row, const SharedWork& work) {
  return {
      .name = row.name,
      .kind = row.kind,
      .buffer_bytes = row.buffer_bytes,
      .bytes = work->values * value_bytes,
      .operations = work->values,
      .prepare = {},
      .run = [run = row.run, work] { run(*work); },
      .verify = [work] { expect_values(*work); },
  };
}

template <unsigned times>
Strategy compute_strategy(const SharedWork& work) {
  auto sum = std::make_shared<std::uint64_t>(0);
  Strategy strategy = strategy_of({"compute", Kind::limit, 0, nullptr}, work);
  strategy.run = [sum, work] { *sum = compute<times>(*work); };
  strategy.verify = [sum, work] { expect_sum(*work, *sum); };
  return strategy;
}

Strategy slow_raw_write_strategy(const SharedWork& work) {
  Strategy strategy =
      strategy_of({"raw write", Kind::limit, raw_write_block_bytes, raw_write_to_slow_disk}, work);
  strategy.verify = [work] {
    const std::uint64_t bytes = work->values * value_bytes;
    expect_file(work->path, bytes, hash_pattern(bytes));
  };
  return strategy;
}

// Builds the groups. They share one output file and one set_up.
class Groups {
 public:
  Groups(const std::string& directory, std::uint64_t values)
      : path_(directory + "/overlap.out"), values_(values) {}

  template <unsigned times>
  void add_file(std::string title, std::uint64_t divisor, std::string why) {
    const SharedWork work = add_work<times>(divisor);
    add(std::move(title), std::move(why), work, file_rows<times>,
        {compute_strategy<times>(work),
         raw_write_strategy({.paths = {path_}, .bytes = work->values * value_bytes})});
  }

  template <unsigned times>
  void add_slow_disk(std::string title, std::uint64_t divisor, std::string why) {
    const SharedWork work = add_work<times>(divisor);
    add(std::move(title), std::move(why), work, slow_disk_rows<times>,
        {compute_strategy<times>(work), slow_raw_write_strategy(work)});
  }

  std::vector<Experiment::Group> take_groups() { return std::move(groups_); }

  std::function<void()> set_up() const {
    return [find = find_expected_] {
      for (const auto& find_one : find) find_one();
    };
  }

 private:
  template <unsigned times>
  SharedWork add_work(std::uint64_t divisor) {
    auto work = std::make_shared<ValueWork>();
    work->path = path_;
    work->values = std::max<std::uint64_t>(values_ / divisor, 1);
    find_expected_.push_back([work] { find_expected<times>(*work); });
    return work;
  }

  void add(std::string title, std::string why, const SharedWork& work,
           std::span<const ValueRow> rows, std::vector<Strategy> strategies) {
    for (const ValueRow& row : rows) strategies.push_back(strategy_of(row, work));
    groups_.push_back({std::move(title), std::move(strategies), std::move(why)});
  }

  std::string path_;
  std::uint64_t values_;
  std::vector<Experiment::Group> groups_;
  std::vector<std::function<void()>> find_expected_;
};

}  // namespace

Experiment overlap_experiment(const Settings& settings) {
  const std::uint64_t default_bytes = std::uint64_t{settings.quick ? 64U : 1024U} << 20;
  const std::uint64_t wanted = settings.size_bytes != 0 ? settings.size_bytes : default_bytes;
  const std::uint64_t values = std::max<std::uint64_t>(wanted / value_bytes, 1);
  Groups groups(settings.directory, values);
  groups.add_file<1>(
      "each value computed once", 1,
      "There are calls around each value. If another thread writes the blocks, computing and "
      "writing go on at the same time."),
      groups.add_file<0>("nothing computed", 1,
                         "Nothing is computed, so nothing can overlap. The remaining cost is "
                         "collecting the values in blocks, and writing.");
  groups.add_file<10>(
      "each value computed ten times, a quarter of the values", 4,
      "Writing at the same time needs a processor that is free; writing in between adds its whole "
      "time.");
  groups.add_slow_disk<1>(
      fmt::format(
          "each value computed once, a simulated disk of {} a second, a quarter of the values",
          format_bytes(slow_disk_bytes_per_second)),
      4,
      "The disk is the limit. A program that computes while the disk writes waits only for the "
      "disk.");
  return {
      .id = "overlap",
      .title = "computing and writing at the same time",
      .groups = groups.take_groups(),
      .bytes = values * value_bytes,
      .scratch_bytes = values * value_bytes,
      .set_up = groups.set_up(),
  };
}

}  // namespace sluice::bench
