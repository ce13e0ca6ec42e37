#include "recommend/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/interrupt.h"
#include "bench/machine.h"
#include "bench/measure.h"
#include "bench/progress.h"
#include "bench/scratch.h"
#include "bench/statistics.h"
#include "command_line/output.h"
#include "command_line/quantity.h"
#include "machine/disturbance.h"
#include "recommend/report.h"
#include "recommend/search.h"
#include "recommend/trial.h"

namespace sluice::recommend {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

// How much a trial writes, and how long a trial of the defaults may take.
struct Scale {
  std::uint64_t most_bytes;
  std::uint64_t least_bytes;
  double most_seconds;
  Effort effort;
  std::size_t sweep_rounds;
  std::size_t final_rounds;
};
constexpr Scale usual{256 * mebibyte, 4 * mebibyte, 1, {5, 50}, 2, 21};
constexpr Scale quick{16 * mebibyte, 4 * mebibyte, 0.1, {3, 1}, 1, 3};
constexpr std::size_t finalists = 6;
constexpr std::size_t most_probe_bytes = 4 * mebibyte;
constexpr double clearly_smaller = 1.25;  // times

class Trials {
 public:
  Trials(const Request& request, const Scale& scale)
      : scratch_(request.directory),
        work_{scratch_.path() + "/trial", read_sample(request.sample_file), scale.most_bytes} {}

  // Finds a number of bytes that the defaults write in the allowed time. The number becomes smaller
  // in large steps, so that two runs find the same. A slow trial is repeated, because the disk may
  // still write what other programs left in the cache. False if a signal asks for the end.
  bool choose_size(const Scale& scale, const std::string& directory) {
    const Choice defaults(settings().size(), 0);
    const std::string remedy =
        scale.most_bytes == quick.most_bytes
            ? ""
            : fmt::format(", or --quick, which needs {}", format_bytes(quick.most_bytes));
    for (;;) {
      bench::expect_room(directory, work_.bytes, "a trial", remedy);
      std::optional<double> seconds = measure(defaults);
      if (seconds && *seconds > scale.most_seconds) seconds = measure(defaults);
      if (!seconds) return false;
      if (*seconds <= scale.most_seconds || work_.bytes / 4 < scale.least_bytes) return true;
      work_.bytes /= 4;
    }
  }

  // The first trial of each choice compares every byte.
  std::optional<double> measure(const Choice& choice) {
    progress_.show(fmt::format("trial {}: {}", ++number_, name_of(choice, work_.codec)));
    const bool is_new = verified_.insert(choice).second;
    const bench::Outcome outcome = bench::measure(trial_of(choice, work_, is_new));
    scratch_.remove_new();
    if (!outcome.error.empty()) {
      throw std::runtime_error(fmt::format("{}: {}", name_of(choice, work_.codec), outcome.error));
    }
    if (!outcome.measurement) return std::nullopt;
    return outcome.measurement->wall_s;
  }

  // Compresses the beginning of the sample by each codec that may suit it. A series must make it
  // clearly smaller than zstd does. False if a signal asks for the end.
  bool choose_codec() {
    Work probe{work_.path, work_.sample.substr(0, most_probe_bytes)};
    probe.bytes = probe.sample.size();
    double least = 0;
    for (const std::string& codec : codecs_to_probe()) {
      progress_.show("compressing the sample: " + codec);
      probe.codec = codec;
      const bench::Outcome outcome = bench::measure(probe_of(probe));
      scratch_.remove_new();
      if (!outcome.error.empty()) throw std::runtime_error(codec + ": " + outcome.error);
      if (!outcome.measurement) return false;
      const auto stored = static_cast<double>(outcome.measurement->stored_bytes.value_or(0));
      if (least == 0) {
        least = stored / clearly_smaller;  // zstd's, which is the first one
      } else if (stored < least) {
        least = stored;
        work_.codec = codec;
      }
    }
    return true;
  }

  std::uint64_t bytes() const { return work_.bytes; }
  const std::string& codec() const { return work_.codec; }
  bool can_compress() const { return work_.sample.size() >= least_bytes_to_compress; }
  void clear_progress() { progress_.clear(); }

 private:
  bench::Scratch scratch_;
  Work work_;
  bench::Progress progress_;
  std::set<Choice> verified_;
  std::size_t number_ = 0;
};

// The fastest choices of a sweep, the recommended one and the defaults, each once.
std::vector<Choice> finalists_of(std::vector<Timed> all, const Choice& recommended) {
  std::ranges::sort(all, {}, [](const Timed& timed) { return bench::median_of(timed.seconds); });
  std::vector<Choice> chosen = {recommended};
  const Choice defaults(settings().size(), 0);
  if (defaults != recommended) chosen.push_back(defaults);
  for (const Timed& timed : all) {
    if (chosen.size() >= finalists + 2) break;
    if (std::ranges::find(chosen, timed.choice) == chosen.end()) chosen.push_back(timed.choice);
  }
  return chosen;
}

// Measures every combination, and the best ones again: the fastest of many trials is fast by chance
// too.
std::optional<Sweep> sweep_all(const Scale& scale, const Choice& recommended, bool compresses,
                               const Measure& measure) {
  Sweep sweep;
  std::vector<Choice> choices = every_choice();
  if (!compresses) {
    std::erase_if(choices, [](const Choice& one) { return configuration_of(one).is_compressed; });
  }
  sweep.all = measure_in_turn(choices, scale.sweep_rounds, measure);
  if (sweep.all.empty()) return std::nullopt;
  sweep.finalists =
      measure_in_turn(finalists_of(sweep.all, recommended), scale.final_rounds, measure);
  if (sweep.finalists.empty()) return std::nullopt;
  return sweep;
}

Report begin_report(const Request& request) {
  Report report;
  report.machine = bench::this_machine();
  report.directory = std::filesystem::absolute(request.directory).lexically_normal();
  report.filesystem = bench::filesystem_of(request.directory);
  report.sample = request.sample_file.empty() ? "random bytes" : request.sample_file;
  report.is_quick = request.quick;
  return report;
}

void measure_all(const Request& request, Report& report) {
  const Scale& scale = request.quick ? quick : usual;
  Trials trials(request, scale);
  const Measure measure = [&](const Choice& choice) { return trials.measure(choice); };
  report.found.choice.assign(settings().size(), 0);
  report.found.is_interrupted = !trials.choose_size(scale, request.directory);
  report.bytes = trials.bytes();
  report.is_without_compression = compression_setting() && !trials.can_compress();
  const bool is_probed =
      compression_setting() && trials.can_compress() && !request.sample_file.empty();
  if (is_probed && !report.found.is_interrupted) {
    report.found.is_interrupted = !trials.choose_codec();
    report.codec = trials.codec();
  }
  const std::size_t left_out = report.is_without_compression ? *compression_setting() : SIZE_MAX;
  const ProcessorTimes before = processor_times();
  if (!report.found.is_interrupted) report.found = search(measure, scale.effort, left_out);
  report.disturbance = disturbance_between(before, processor_times());
  if (!request.sweep || report.found.is_interrupted) return;
  report.sweep = sweep_all(scale, report.found.choice, trials.can_compress(), measure);
  report.found.is_interrupted = !report.sweep;
}

}  // namespace

int run(const Request& request) {
  if (!request.sample_file.empty()) expect_readable(request.sample_file);
  if (!request.json_file.empty()) expect_writable(request.json_file);
  const bench::InterruptWatch watch;
  Report report = begin_report(request);
  measure_all(request, report);
  if (report.found.is_interrupted) {
    complain("sluice recommend",
             fmt::format("ended by signal {} before there was a result", bench::interrupted_by()));
    return 128 + bench::interrupted_by();
  }
  write_output(text_of(report));
  if (!request.json_file.empty()) write_text(request.json_file, json_of(report));
  return 0;
}

}  // namespace sluice::recommend
