// `many-writers`: several threads compute values and write them, each thread to a file of its own.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/experiments/output/pattern_output.h"
#include "bench/experiments/registry.h"
#include "bench/experiments/rows/thread_team.h"
#include "bench/experiments/values/value_rows.h"

namespace sluice::bench {
namespace {

// The share of each thread of a group. All shares together are the same values for every number of
// threads.
using Shares = std::vector<ValueWork>;
using SharedShares = std::shared_ptr<Shares>;

constexpr std::array<std::uint64_t, 5> thread_numbers = {1, 2, 4, 8, 16};
constexpr std::array<std::uint64_t, 3> quick_thread_numbers = {1, 2, 8};

std::span<const std::uint64_t> numbers_of_threads(const Settings& settings) {
  if (settings.quick) return quick_thread_numbers;
  return thread_numbers;
}

std::string why(bool computing, std::uint64_t threads) {
  if (!computing) {
    return "Only writing takes time here. With write-behind another processor first fetches the "
           "blocks from the cache of the processor that filled them. Write-behind gains only if "
           "the kernel's copy takes longer than this fetch.";
  }
  if (threads == 1) {
    return "While one processor computes, another processor is free to write.";
  }
  return "All processors compute, so write-behind takes time from the threads that compute.";
}

Shares shares_of(const std::string& directory, std::uint64_t values, std::uint64_t threads) {
  Shares shares;
  for (std::uint64_t i = 0; i < threads; ++i) {
    const std::uint64_t first = values * i / threads;
    const std::uint64_t end = values * (i + 1) / threads;
    shares.push_back({.path = fmt::format("{}/many-writers-{}.out", directory, i),
                      .first = first,
                      .values = end - first});
  }
  return shares;
}

std::uint64_t values_in(const Shares& shares) {
  return std::accumulate(
      shares.begin(), shares.end(), std::uint64_t{0},
      [](std::uint64_t sum, const ValueWork& work) { return sum + work.values; });
}

// The work of a thread, or the check of its file afterwards.
using OfThread = std::function<void(std::size_t thread)>;

// prepare() starts the threads. run() lets them go, and returns when they are done.
Strategy by_team(Strategy strategy, std::size_t threads, const OfThread& work,
                 const OfThread& expect) {
  auto team = std::make_shared<std::unique_ptr<ThreadTeam>>();
  strategy.prepare = [team, threads, work, prepare = std::move(strategy.prepare)] {
    if (prepare) prepare();
    *team = std::make_unique<ThreadTeam>(threads, work);
  };
  strategy.run = [team] { (*team)->run(); };
  strategy.verify = [threads, expect] {
    for (std::size_t i = 0; i < threads; ++i) expect(i);
  };
  return strategy;
}

Strategy without_work(const ValueRow& row, const Shares& shares) {
  const std::uint64_t values = values_in(shares);
  return {
      .name = row.name,
      .kind = row.kind,
      .buffer_bytes = row.buffer_bytes,
      .bytes = values * value_bytes,
      .operations = values,
      .prepare = {},
      .run = {},
      .verify = {},
  };
}

Strategy writing_strategy(const ValueRow& row, const SharedShares& shares) {
  return by_team(
      without_work(row, *shares), shares->size(),
      [shares, run = row.run](std::size_t thread) { run((*shares)[thread]); },
      [shares](std::size_t thread) { expect_values((*shares)[thread]); });
}

void write_blocks(const std::string& path, std::uint64_t bytes, const WarmMemory& block) {
  Writer writer;
  writer.open(path).throw_if_error();
  for (std::uint64_t left = bytes; left != 0;) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size()));
    writer.write(block.data(), piece);
    left -= piece;
  }
  writer.close().throw_if_error();
}

void write_blocks_raw(const std::string& path, std::uint64_t bytes, const WarmMemory& block) {
  write_in_blocks(path, bytes, Finish::visible, block);
}

using WriteBlocks = void (*)(const std::string& path, std::uint64_t bytes, const WarmMemory& block);

// Every thread writes one full block again and again.
Strategy full_blocks_by_team(const char* name, Kind kind, WriteBlocks write,
                             const SharedShares& shares) {
  auto block = std::make_shared<std::unique_ptr<WarmMemory>>();
  Strategy strategy = without_work({name, kind, raw_write_block_bytes, nullptr}, *shares);
  strategy.prepare = [block] { *block = warm_pattern_block(); };
  const auto bytes_of = [shares](std::size_t thread) {
    return (*shares)[thread].values * value_bytes;
  };
  return by_team(
      std::move(strategy), shares->size(),
      [write, block, shares, bytes_of](std::size_t thread) {
        write((*shares)[thread].path, bytes_of(thread), **block);
      },
      [shares, bytes_of](std::size_t thread) {
        const std::uint64_t bytes = bytes_of(thread);
        expect_file((*shares)[thread].path, bytes, hash_pattern(bytes));
      });
}

template <unsigned times>
Strategy compute_by_team(const SharedShares& shares) {
  auto sums = std::make_shared<std::vector<std::uint64_t>>(shares->size());
  return by_team(
      without_work({"compute", Kind::limit, 0, nullptr}, *shares), shares->size(),
      [shares, sums](std::size_t thread) { (*sums)[thread] = compute<times>((*shares)[thread]); },
      [shares, sums](std::size_t thread) { expect_sum((*shares)[thread], (*sums)[thread]); });
}

template <unsigned times>
constexpr ValueRow rows[] = {
    {"ofstream.write", Kind::baseline, filebuf_buffer_bytes, by_ofstream<times>},
    {"fwrite", Kind::peer, stdio_buffer_bytes, by_fwrite<times>},
    {"one buffer", Kind::peer, user_buffer_bytes, by_buffers_to_file<times, SameThread>},
    {"sluice, write-behind off", Kind::sluice, sluice_buffer_bytes,
     by_sluice<times, WriteBehind::off>},
    {"sluice, write-behind automatic", Kind::sluice, sluice_buffer_bytes,
     by_sluice<times, WriteBehind::automatic>},
    {"sluice, write-behind on", Kind::sluice, sluice_buffer_bytes,
     by_sluice<times, WriteBehind::on>},
};

template <unsigned times>
Experiment::Group group_of(const SharedShares& shares) {
  const std::size_t threads = shares->size();
  Experiment::Group group;
  group.title = fmt::format("{} thread{}, {}", threads, threads == 1 ? "" : "s",
                            times == 0 ? "nothing computed" : "each value computed once");
  group.why = why(times != 0, threads);
  group.strategies.push_back(
      full_blocks_by_team("raw write", Kind::limit, write_blocks_raw, shares));
  if constexpr (times == 0) {
    group.strategies.push_back(
        full_blocks_by_team("sluice write(block)", Kind::sluice, write_blocks, shares));
  } else {
    group.strategies.push_back(compute_by_team<times>(shares));
  }
  for (const ValueRow& row : rows<times>) group.strategies.push_back(writing_strategy(row, shares));
  return group;
}

template <unsigned times>
void find_all_expected(const SharedShares& shares) {
  for (ValueWork& work : *shares) find_expected<times>(work);
}

// One group for each number of threads.
template <unsigned times>
void add_groups(Experiment& experiment, const Settings& settings, std::uint64_t values) {
  for (const std::uint64_t threads : numbers_of_threads(settings)) {
    auto shares = std::make_shared<Shares>(shares_of(settings.directory, values, threads));
    experiment.groups.push_back(group_of<times>(shares));
    experiment.set_up = [before = std::move(experiment.set_up), shares] {
      if (before) before();
      find_all_expected<times>(shares);
    };
  }
}

}  // namespace

Experiment many_writers_experiment(const Settings& settings) {
  const std::uint64_t default_bytes = std::uint64_t{settings.quick ? 64U : 512U} << 20;
  const std::uint64_t wanted = settings.size_bytes != 0 ? settings.size_bytes : default_bytes;
  // At least one value for every thread.
  const std::uint64_t values = std::max<std::uint64_t>(wanted / value_bytes, thread_numbers.back());
  Experiment experiment;
  experiment.id = "many-writers";
  experiment.title = "several threads, a file for each";
  experiment.bytes = values * value_bytes;
  experiment.scratch_bytes = experiment.bytes;
  add_groups<0>(experiment, settings, values);
  add_groups<1>(experiment, settings, values);
  return experiment;
}

}  // namespace sluice::bench
