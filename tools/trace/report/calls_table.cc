#include "trace/report/calls_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "command_line/quantity.h"
#include "trace/costs/call_set.h"
#include "trace/places/place.h"

namespace sluice::trace {
namespace {

constexpr std::size_t max_listed = 10;
constexpr std::size_t many_files = 10;

// A log has all locks of files as flock, and what dprintf writes as write.
const char* shown_call(const Use& use) {
  if (use.amount.printed) return "dprintf";
  if (use.call == preload::Call::flock) return "flock, lockf or fcntl";
  return use.call == preload::Call::fstat ? "fstat or isatty" : name_of(use.call);
}

std::string call_and_place(const Profile& profile, const Use& use) {
  return fmt::format("{}, {}", shown_call(use), place_of(profile.sites[use.site]));
}

struct Line {
  const Use* first;
  std::size_t uses = 0;
  bool has_more_files = false;  // those for which a log had no room
  Time time{};
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  std::uint64_t system_calls = 0;

  void add(const Profile& profile, const Use& use) {
    ++uses;
    has_more_files = has_more_files || profile.files[use.file].is_many;
    time += use.amount.time;
    calls += use.amount.calls;
    bytes += use.amount.bytes;
    system_calls += use.amount.system_calls;
  }
};

std::vector<Line> lines_of(const Profile& profile) {
  std::map<std::pair<std::size_t, preload::Call>, std::vector<const Use*>> places;
  for (const Use& use : profile.uses) places[{use.site, use.call}].push_back(&use);
  std::vector<Line> lines;
  for (const auto& [place, uses] : places) {
    for (const Use* use : uses) {
      const bool begins = use == uses.front() || uses.size() < many_files;
      if (begins) lines.push_back({.first = use});
      lines.back().add(profile, *use);
    }
  }
  std::ranges::stable_sort(lines, [](const Line& a, const Line& b) {
    return std::pair(-a.time.total_s(), a.first) < std::pair(-b.time.total_s(), b.first);
  });
  return lines;
}

std::string text_of(const Profile& profile, const Line& line) {
  if (line.uses == 1) return use_text(profile, *line.first);
  return fmt::format("{}, {}{} files", call_and_place(profile, *line.first),
                     line.has_more_files ? "more than " : "", format_count(line.uses));
}

}  // namespace

std::string use_text(const Profile& profile, const Use& use) {
  return fmt::format("{}, {}", call_and_place(profile, use),
                     shown_file(profile.files[use.file].name));
}

std::string calls_table(const Profile& profile) {
  std::string text =
      fmt::format("\n{:>9} {:>9} {:>9} {:>14} {:>10} {:>12}  {}\n", "copying s", "system s",
                  "waiting s", "calls", "bytes", "system calls", "call, place, file");
  const std::vector<Line> lines = lines_of(profile);
  const std::size_t listed = std::min(lines.size(), max_listed);
  for (std::size_t i = 0; i < listed; ++i) {
    const Line& line = lines[i];
    text += fmt::format("{:>9.4f} {:>9.4f} {:>9.4f} {:>14} {:>10} {:>12}  {}\n",
                        line.time.copying_s, line.time.system_s, line.time.sleep_s,
                        format_count(line.calls), format_bytes_short(line.bytes),
                        format_count(line.system_calls), text_of(profile, line));
  }
  if (lines.size() > listed) {
    text += fmt::format("  and {} more; --json has them all\n", lines.size() - listed);
  }
  return text;
}

}  // namespace sluice::trace
