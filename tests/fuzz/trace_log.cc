// A log of `sluice trace` may have any bytes, and may be cut short anywhere. It is added to a
// profile. The input chooses places of an empty log, and the bytes for them.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <type_traits>

#include "input.h"
#include "preload/trace/log.h"
#include "testing/scratch_directory.h"
#include "trace/costs/call_costs.h"
#include "trace/profile/profile.h"
#include "trace/profile/symbols.h"
#include "trace/profile/timeline.h"

// Replaces the measurement of the costs of calls, which takes long.
namespace sluice::trace {
double measured_tick_s() { return 4e-10; }
double measured_lock_s() { return 1e-8; }
struct CallCosts::Functions {};
CallCosts::CallCosts() : clock_s_(0) {}
CallCosts::~CallCosts() = default;
double CallCosts::in_a_row_s(Way, preload::Call, double, Sizes) { return 1e-9; }
}  // namespace sluice::trace

namespace sluice::fuzz {
namespace {

using preload::Log;

struct Table {
  std::size_t begin;
  std::size_t entry_bytes;
  std::size_t entries;
};

// The first entries of a table and the last one, or the entries between them.
template <typename Near>
Table near_part(std::size_t begin) {
  return {begin, sizeof(Near::last), sizeof(Near) / sizeof(Near::last)};
}
template <typename Far>
Table far_part(std::size_t begin) {
  return {begin, sizeof(std::remove_extent_t<Far>), std::extent_v<Far>};
}

// Chooses a part of a table, the numbers of their entries in use, or the head.
Table choose_table(Input& input) {
  constexpr std::size_t counts = offsetof(Log, usages);
  switch (input.below(16)) {
    case 0: return near_part<decltype(Log::near_modules)>(offsetof(Log, near_modules));
    case 1: return near_part<decltype(Log::near_sites)>(offsetof(Log, near_sites));
    case 2: return near_part<decltype(Log::near_files)>(offsetof(Log, near_files));
    case 3: return near_part<decltype(Log::near_moments)>(offsetof(Log, near_moments));
    case 4: return near_part<decltype(Log::near_usages)>(offsetof(Log, near_usages));
    case 5: return {offsetof(Log, texts), 16, preload::text_bytes / 16};
    case 6: return {counts, 4, (offsetof(Log, ended) - counts) / 4};
    case 8: return far_part<decltype(Log::far_modules)>(offsetof(Log, far_modules));
    case 9: return far_part<decltype(Log::far_sites)>(offsetof(Log, far_sites));
    case 10: return far_part<decltype(Log::far_files)>(offsetof(Log, far_files));
    case 11: return far_part<decltype(Log::far_moments)>(offsetof(Log, far_moments));
    case 12: return far_part<decltype(Log::far_usages)>(offsetof(Log, far_usages));
    default: return {8, 8, (offsetof(Log, near_moments) - 8) / 8};
  }
}

void poke(Input& input, std::ofstream& log) {
  const Table table = choose_table(input);
  const std::size_t few = std::min<std::size_t>(table.entries, 64);
  const std::size_t entry = input.below(few);
  const std::size_t at = entry == few - 1 ? table.entries - 1 : entry;
  const std::size_t within = input.below(table.entry_bytes);
  const std::string_view bytes = input.take(input.below(table.entry_bytes - within + 1));
  log.seekp(static_cast<std::streamoff>(table.begin + at * table.entry_bytes + within));
  log.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Says once that a usage was read that leads to these names. In the corpus all of its entries lie
// behind the first ones of their tables.
void tell_of_far_entries(const trace::Profile& profile) {
  static bool is_told = false;
  const bool leads_there = std::ranges::any_of(profile.uses, [&](const trace::Use& use) {
    const auto& frames = profile.sites[use.site].frames;
    return profile.files[use.file].name == "/far/file" && !frames.empty() &&
           frames.front().module == "/far/module";
  });
  if (leads_there && !is_told) std::fputs("entries behind the first ones are read\n", stderr);
  is_told = is_told || leads_there;
}

}  // namespace
}  // namespace sluice::fuzz

namespace sluice {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  static const testing::ScratchDirectory directory;
  static trace::CallCosts costs;
  static trace::Symbols symbols;
  const std::string path = directory.file("log");
  fuzz::Input input(bytes, count);
  const std::size_t cut = input.below(4) == 3 ? input.below(65536) * 160 : SIZE_MAX;
  {
    std::ofstream log(path, std::ios::binary | std::ios::trunc);
    log.write(reinterpret_cast<const char*>(&preload::trace_magic), 8);
    while (!input.is_empty()) fuzz::poke(input, log);
  }
  std::filesystem::resize_file(
      path, std::min(cut, sizeof(preload::Log)));  // the rest of the file is a hole
  trace::Profile profile;
  trace::add_log(profile, path, costs, symbols);
  fuzz::require(profile.processes.size() + profile.problems.size() > 0, "a log leaves a trace");
  for (const trace::Use& use : profile.uses) {
    fuzz::require(use.site < profile.sites.size() && use.file < profile.files.size() &&
                      use.call < preload::Call::count,
                  "a use is of something known");
  }
  fuzz::tell_of_far_entries(profile);
  const trace::Timeline timeline = trace::timeline_of(profile.moments);
  fuzz::require(timeline.moments.size() <= trace::max_timeline_moments, "a timeline has an end");
  return 0;
}

}  // namespace sluice
