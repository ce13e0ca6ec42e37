#include "trace/advice/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "command_line/quantity.h"
#include "trace/places/place.h"
#include "trace/places/runtime.h"
#include "trace/profile/timeline.h"

namespace sluice::trace {
namespace {

// The beginning of each cure for standard streams that are in step with stdio, and of the cure for
// std::cin that is tied to std::cout.
constexpr std::string_view out_of_step = "Call `std::ios::sync_with_stdio(false)` before the first";
constexpr std::string_view untied = "Call `std::cin.tie(nullptr)` before the first input:";
constexpr std::string_view both =
    "Call `std::ios::sync_with_stdio(false)` and `std::cin.tie(nullptr)` before the first input: "
    "`std::cin` and `std::cout` then have buffers of their own, and `>>` and `std::getline` no "
    "longer write what is in `std::cout`. A program that asks questions then needs `std::flush` "
    "after each question.";

// The line of a program that makes the calls, or nothing. A template or an inlined function may
// have the line in many functions. Code under /usr and /rustc is a library's, which a compiler put
// into the program.
std::string_view line_of(const Site& site) {
  if (site.frames.empty()) return {};
  const std::string& line = site.frames.front().source;
  const bool is_of_library = line.starts_with("/usr/") || line.starts_with("/rustc/");
  if (line.empty() || is_of_library) return {};
  const bool is_language = runtime_of_stack(site.frames).kind == Runtime::Kind::language;
  return is_language ? std::string_view() : line;
}

bool has_many_names(const Amount& amount) {
  constexpr std::uint64_t many = 100;
  return amount.calls - std::min(amount.calls, amount.repeated) >= many;
}

// A language's own code makes the look-ups of all its functions. A function of the program asks for
// several answers about each of many names, each on a line of its own.
std::string asking_function(const Site& site, const Advice& advice) {
  if (advice.is_of_language) return place_of(site);
  if (site.frames.empty()) return "";
  const Frame& frame = site.frames.front();
  return frame.function + '\n' + frame.module;
}

// For each site the first one that has the same line of the program.
std::vector<std::size_t> lines_of(const Profile& profile) {
  std::vector<std::size_t> lines(profile.sites.size());
  std::unordered_map<std::string_view, std::size_t> first;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = line_of(profile.sites[i]);
    lines[i] = line.empty() ? i : first.try_emplace(line, i).first->second;
  }
  return lines;
}

// The pieces of advice that have one cause, as a disjoint-set forest. They have it if they share a
// place of one kind, and the words that belong to this kind.
class Causes {
 public:
  Causes(const Profile& profile, const std::vector<std::size_t>& lines,
         std::span<Advice* const> all)
      : first_(all.size()) {
    std::iota(first_.begin(), first_.end(), 0);
    known_.reserve(2 * all.size());
    for (std::size_t i = 0; i < all.size(); ++i) find(i, *all[i], profile, lines);
  }

  // Returns the first advice that has the same cause as advice `i`.
  std::size_t of(std::size_t i) const {
    while (first_[i] != i) i = first_[i];
    return i;
  }

 private:
  enum class Shared { line, file, kept_file, program, process };
  using Words = std::array<std::string_view, 5>;  // of the advice, for the constructor alone

  void find(std::size_t i, const Advice& advice, const Profile& profile,
            const std::vector<std::size_t>& lines) {
    const std::string_view id = advice.kind.id;
    const Use& use = profile.uses[advice.use];
    // A function may open files of several kinds, which are no one cause.
    share(i, Shared::line, {id, advice.by, advice.runtime, advice.cure, advice.fix},
          lines[use.site]);
    share(i, Shared::file, {id, advice.by, advice.runtime, advice.cure}, use.file);
    // A file that is kept in memory needs no seek, whatever place of the program made it, and
    // whether or not `sluice run` saves a part.
    if (advice.keeps_file && advice.kind == kinds::seek_before_read)
      share(i, Shared::kept_file, {id, advice.runtime, advice.cure}, use.file);
    // One transaction saves calls of every kind, in all files. One option of a command is for its
    // reads and its writes.
    if (advice.is_of_database || advice.is_of_options || advice.kind.is(kinds::one_change))
      share(i, Shared::program, {advice.fix}, 0);
    const bool is_about_many = advice.is_of_language || has_many_names(use.amount);
    if (advice.kind.is(kinds::questions) && is_about_many && !use.threads.empty()) {
      const std::string& function =
          *functions_.insert(asking_function(profile.sites[use.site], advice)).first;
      share(i, Shared::process, {advice.fix, function},
            static_cast<std::size_t>(use.threads.begin()->first));
    }
  }

  void share(std::size_t i, Shared what, const Words& words, std::size_t place) {
    const std::size_t kind = kinds_.try_emplace({what, words}, kinds_.size()).first->second;
    const std::size_t of_i = of(i);
    const std::size_t of_known = of(known_.try_emplace({kind, place}, i).first->second);
    first_[std::max(of_i, of_known)] = std::min(of_i, of_known);
  }

  struct PlaceOfKind {
    std::size_t kind;
    std::size_t place;
    bool operator==(const PlaceOfKind&) const = default;
    struct Hash {
      std::size_t operator()(const PlaceOfKind& of) const {
        constexpr std::size_t odd = 0x9E3779B97F4A7C15;
        return (of.kind * odd + of.place) * odd;
      }
    };
  };
  std::vector<std::size_t> first_;
  // A number for each kind of advice. Thousands of files may have advice of few kinds.
  std::map<std::pair<Shared, Words>, std::size_t> kinds_;
  std::unordered_map<PlaceOfKind, std::size_t, PlaceOfKind::Hash> known_;
  std::set<std::string> functions_;  // `kinds_` has parts of these texts
};

// The calls that change names stand for one entry of the files, which is none.
bool is_about_no_file(const Use& use) {
  return preload::what_does(use.call) == preload::Does::change_name;
}

struct Cause {
  Advice advice;
  double between_threads_s = 0;  // the time before the calls that several threads make
  decltype(Use::threads) threads{};
  std::set<std::size_t> lines{};
  // A cause may be about thousands of files. Both are in order, and each stands there once, after
  // put_in_order().
  std::vector<std::pair<std::size_t, double>> files{};  // the saving of each
  std::vector<std::size_t> uses{};

  // A file with next to no saving beside another one is not meant by the advice.
  std::size_t count_of_files() const {
    constexpr double least_share = 0.01;
    double most_s = 0;
    for (const auto& [file, saved_s] : files) most_s = std::max(most_s, saved_s);
    const auto count = std::ranges::count_if(
        files, [&](const auto& file) { return file.second >= least_share * most_s; });
    return std::max<std::size_t>(1, static_cast<std::size_t>(count));
  }

  void add(const Profile& profile, const std::vector<std::size_t>& lines_of_sites,
           const Advice& of) {
    const std::size_t index = of.use;
    const Use& use = profile.uses[index];
    if (use.has_several_threads()) between_threads_s += use.amount.work_before_s;
    uses.push_back(index);
    threads.insert(use.threads.begin(), use.threads.end());
    lines.insert(lines_of_sites[use.site]);
    if (!is_about_no_file(use)) files.emplace_back(use.file, of.saved_s);
  }

  void put_in_order() {
    std::ranges::sort(uses);
    uses.erase(std::ranges::unique(uses).begin(), uses.end());
    std::ranges::stable_sort(files, {}, &std::pair<std::size_t, double>::first);
    std::size_t last = 0;
    for (std::size_t i = 1; i < files.size(); ++i) {
      if (files[i].first == files[last].first) {
        files[last].second += files[i].second;
      } else {
        files[++last] = files[i];
      }
    }
    if (!files.empty()) files.resize(last + 1);
  }
};

// The calls of one place that are like the first one: those of two statements on one line, or those
// that a function makes for two callers.
std::size_t calls_like_first(const Profile& profile, const Advice& advice) {
  const Use& first = profile.uses[advice.use];
  return static_cast<std::size_t>(
      std::ranges::count_if(advice.uses,
                            [&](std::size_t use) {
                              return profile.uses[use].call == first.call &&
                                     profile.uses[use].site != first.site;
                            }) +
      1);
}

// The file of a look-up is only the name that comes first.
std::string where_text(const Advice& advice, bool is_look_up, std::size_t calls) {
  const char* const first = "the first, which costs most";
  const std::string files = format_count(advice.files);
  if (advice.places == 1 && advice.files == 1)
    return fmt::format("by {} different calls; by {}", calls, first);
  if (advice.places == 1 && is_look_up)
    return fmt::format("by {} different calls; by {}", files, first);
  if (advice.places == 1) return fmt::format("in {} files; in {}", files, first);
  const std::string places = fmt::format("at {} places", format_count(advice.places));
  if (advice.files == 1 || is_look_up) return fmt::format("{}; at {}", places, first);
  return fmt::format("{} and in {} files; at {}", places, files, first);
}

// "1 flushes" becomes "1 flush". The rules count in plurals, because advice about a single use has
// many calls. Only advice that adds up many files can be about one call in each.
std::string with_singulars(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> nouns[] = {
      {"1 calls", "1 call"}, {"1 flushes", "1 flush"}, {"1 reads", "1 read"},
      {"1 seeks", "1 seek"}, {"1 syncs", "1 sync"},    {"1 system calls", "1 system call"},
      {"1 times", "1 time"}, {"1 writes", "1 write"}};
  for (const auto& [plural, singular] : nouns) {
    const std::string found = fmt::format(" {}", plural);
    const std::size_t at = text.find(found);
    if (at != std::string::npos) text.replace(at + 1, plural.size(), singular);
  }
  return text;
}

// Threads that share a lock of the program's own wait for each other's calls, outside of any call
// of input or output. The upper end of the range has half of the time before their calls.
void count_waits_of_threads(Advice& advice, double between_s) {
  if (between_s <= 0 || advice.by_runtime_s > 0) return;
  advice.add_by_runtime(between_s / 2);
  advice.why +=
      " Several threads make these calls. If they wait for each other meanwhile, by a lock of the "
      "program's own, more is saved: the upper end of the prediction includes half of the time "
      "between the calls.";
}

// The most time for which the calls waited for a processor, which they would not do on an idle
// machine. Until their processor was free, they seem to wait for their file. The kernel says how
// long a process waited for a processor, but not in which of its calls. The profile has left out
// the waits that surely were for a processor.
double most_queued_s(const Profile& profile, const Cause& cause) {
  double sleep_s = 0;
  double left_out_s = 0;
  for (const std::size_t use : cause.uses) {
    sleep_s += profile.uses[use].amount.time.sleep_s;
    left_out_s += profile.uses[use].amount.queued_s;
  }
  double queued_s = 0;
  for (int last = 0; const auto& [place, thread] : cause.threads) {
    const bool is_counted = std::exchange(last, place) == place;
    const Process* const process = process_at(profile, place);
    if (is_counted || process == nullptr) continue;
    if (process->several_threads) return sleep_s;  // unknown for other threads
    queued_s += process->queued_s;
  }
  if (queued_s == 0 || profile.disturbance.host > much_disturbed) return sleep_s;  // unknown
  return std::clamp(queued_s - left_out_s, 0.0, sleep_s);
}

// At least the calls' other time is saved, as far as it was to be saved. No more than the doubtful
// time is taken away: the advice may save the time of other calls too. A process has waited for its
// processors only once, so this is decided for all calls of a cause together.
void doubt_waiting(const Profile& profile, Cause& cause) {
  double total_s = 0;
  for (const std::size_t use : cause.uses) total_s += profile.uses[use].amount.time.total_s();
  if (total_s <= 0) return;
  const double queued_s = most_queued_s(profile, cause);
  const double least_s = cause.advice.least_s();
  cause.advice.least_saved_s = std::max(std::min(least_s, total_s - queued_s), least_s - queued_s);
}

Advice advice_of(const Profile& profile, Cause cause, double at_once) {
  Advice advice = std::move(cause.advice);
  const double most = advice.is_of_one_thread ? 1 : most_threads_at_once(profile, cause.threads);
  advice.at_once = std::min(at_once, most);
  if (!advice.is_of_one_thread) count_waits_of_threads(advice, cause.between_threads_s);
  if (most > 1 && at_once > 1) {
    advice.least_saved_s = advice.least_s() / most;
  }
  advice.saved_s /= advice.at_once;
  advice.by_runtime_s /= advice.at_once;
  if (advice.run_saves_s) *advice.run_saves_s /= advice.at_once;
  advice.uses = std::move(cause.uses);
  advice.files = cause.count_of_files();
  advice.places = cause.lines.size();
  const std::size_t calls = calls_like_first(profile, advice);
  if (advice.files > 1 || advice.places > 1 || calls > 1) {
    const bool is_look_up = looks_up(profile.uses[advice.use].call);
    advice.seen =
        with_singulars(fmt::format("{}: {}", where_text(advice, is_look_up, calls), advice.seen));
  }
  return advice;
}

// The largest saving first. Advice about no file comes last. There may be thousands, and to move
// them, or to look at them for each comparison, takes long.
std::vector<Advice*> in_order(const Profile& profile, std::vector<Advice>& all) {
  std::vector<std::tuple<bool, double, std::size_t>> keys;
  keys.reserve(all.size());
  for (const Advice& advice : all) {
    keys.emplace_back(is_about_no_file(profile.uses[advice.use]), -advice.saved_s, keys.size());
  }
  std::ranges::sort(keys);
  std::vector<Advice*> sorted;
  sorted.reserve(all.size());
  for (const auto& [is_last, saved_s, place] : keys) sorted.push_back(&all[place]);
  return sorted;
}

}  // namespace

std::vector<Advice> one_for_each_cause(const Profile& profile, std::vector<Advice> all) {
  const std::vector<Advice*> sorted = in_order(profile, all);
  const std::vector<std::size_t> lines = lines_of(profile);
  const Causes causes(profile, lines, sorted);
  std::map<std::size_t, Cause> found;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    Advice& advice = *sorted[i];
    const std::size_t first = causes.of(i);
    Cause& cause = found[first];
    cause.add(profile, lines, advice);
    if (first == i) {
      cause.advice = std::move(advice);
      continue;
    }
    if (cause.advice.least_saved_s || advice.least_saved_s) {
      cause.advice.least_saved_s = cause.advice.least_s() + advice.least_s();
    }
    cause.advice.saved_s += advice.saved_s;
    cause.advice.by_runtime_s += advice.by_runtime_s;
    if (cause.advice.run_saves_s) *cause.advice.run_saves_s += advice.run_saves_s.value_or(0);
  }
  const double at_once = threads_at_once(profile);
  std::vector<Advice> united;
  for (auto& [first, cause] : found) {
    cause.put_in_order();
    if (is_disturbed(profile.disturbance)) doubt_waiting(profile, cause);
    united.push_back(advice_of(profile, std::move(cause), at_once));
  }
  return united;
}

void unite_standard_streams(const Profile& profile, std::vector<Advice>& all) {
  const auto tied = std::ranges::find_if(
      all, [](const Advice& advice) { return advice.cure.starts_with(untied); });
  if (tied == all.end()) return;
  const Advice first = *tied;
  const auto has_both_cures = [&](const Advice& advice) {
    const bool is_cured = advice.cure.starts_with(untied) || advice.cure.starts_with(out_of_step);
    return is_cured && profile.uses[advice.use].shares_a_process_with(profile.uses[first.use]);
  };
  const bool are_several = std::ranges::any_of(all, [&](const Advice& advice) {
    return advice.cure.starts_with(out_of_step) && has_both_cures(advice);
  });
  if (!are_several) return;
  for (Advice& advice : all) {
    if (!has_both_cures(advice)) continue;
    advice.kind = first.kind;
    advice.kind.traits |= kinds::one_change;
    advice.by.clear();
    advice.run_saves_s.reset();
    advice.cure = advice.fix = both;
    advice.check = "the same command under sluice trace: fewer flushes, and no calls for each byte";
  }
}

}  // namespace sluice::trace
