#include "object/bench.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "bench/interrupt.h"
#include "bench/machine.h"
#include "bench/measure.h"
#include "bench/statistics.h"
#include "command_line/command_error.h"
#include "command_line/options.h"
#include "command_line/output.h"
#include "command_line/quantity.h"
#include "object/bench_ways.h"

namespace sluice::object {
namespace {

struct BenchExperiment {
  const char* id;
  const char* title;
  std::vector<BenchWay> (*ways)();
  bool writes;
};

constexpr std::array experiments = {
    BenchExperiment{"object-write", "a whole object written in sequence", writing_ways, true},
    BenchExperiment{"object-read", "a whole object read in sequence", reading_ways, false},
};

struct Timed {
  std::vector<double> seconds{};
  std::vector<double> ratios{};  // the first way's time by this way's, in the same round
  std::uint64_t peak_bytes = 0;
  std::string error{};
};

std::vector<const BenchExperiment*> chosen(const BenchRequest& request) {
  std::vector<const BenchExperiment*> all;
  for (const std::string& id : request.experiments) {
    const auto found = std::ranges::find_if(
        experiments, [&](const BenchExperiment& known) { return id == known.id; });
    if (found == experiments.end()) {
      throw UsageError(fmt::format(
          "{} cannot be measured on an object store, because an object is written once, as a "
          "whole, and has no file system below it. --dir with a URI takes object-write and "
          "object-read; give --dir a folder for other experiments",
          id));
    }
    all.push_back(&*found);
  }
  if (all.empty()) {
    for (const BenchExperiment& known : experiments) all.push_back(&known);
  }
  return all;
}

std::string without_options(const std::string& uri) { return uri.substr(0, uri.find('?')); }

// An object beside what else the store has. The options of a URI follow a question mark.
std::string own_object(const std::string& uri) {
  const std::size_t end = std::min(uri.find('?'), uri.size());
  std::string folder = uri.substr(0, end);
  while (folder.ends_with('/') && !folder.ends_with("://")) folder.pop_back();
  return fmt::format("{}/sluice-bench-{}{}", folder, ::getpid(), uri.substr(end));
}

// Arrow's threads do not survive a fork, so each step is in a child of its own.
bench::Outcome in_child(
    std::function<void()> run, std::function<void()> prepare = [] {},
    std::function<void()> verify = [] {}) {
  bench::Strategy strategy;
  strategy.name = "object";
  strategy.prepare = [prepare = std::move(prepare)] {
    end_by_exception_on_signals();
    prepare();
  };
  strategy.run = std::move(run);
  strategy.verify = std::move(verify);
  return bench::measure(strategy);
}

void expect(const bench::Outcome& outcome) {
  if (!outcome.measurement) throw std::runtime_error(outcome.error);
}

// A number that a child gives to its parent.
class SharedNumber {
 public:
  SharedNumber() {
    void* const page = ::mmap(nullptr, sizeof(std::size_t), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) number_ = ::new (page) std::size_t(0);
  }
  ~SharedNumber() {
    if (number_ != nullptr) ::munmap(number_, sizeof(std::size_t));
  }
  SharedNumber(const SharedNumber&) = delete;
  SharedNumber& operator=(const SharedNumber&) = delete;
  void set(std::size_t number) {
    if (number_ != nullptr) *number_ = number;
  }
  std::size_t get() const { return number_ == nullptr ? 0 : *number_; }

 private:
  std::size_t* number_ = nullptr;
};

// The object of the benchmark. It does not stay in the store when an exception ends the benchmark,
// and neither do the folders above it that the store did not have.
class OwnObject {
 public:
  // If the store does not answer, the first write says so.
  explicit OwnObject(const std::string& uri) : uri_(uri) {
    static_cast<void>(in_child([&] { folders_.set(missing_folders(uri_)); }));
  }
  OwnObject(const OwnObject&) = delete;
  OwnObject& operator=(const OwnObject&) = delete;
  ~OwnObject() {
    if (!is_removed_) static_cast<void>(try_to_remove());
  }

  // Returns the signal that asked for the end meanwhile, or 0.
  int remove() {
    is_removed_ = true;
    const Removal removal = try_to_remove();
    if (removal.is_done) return removal.signal;
    throw std::runtime_error(fmt::format("the object {} was not removed and may be left: {}",
                                         without_options(uri_), reason_of(removal)));
  }

 private:
  static constexpr unsigned max_removal_s = 60;

  struct Removal {
    bool is_done = false;
    int signal = 0;
    std::string error{};
  };

  static std::string reason_of(const Removal& removal) {
    if (removal.signal != 0) return fmt::format("ended by signal {}", removal.signal);
    if (removal.error.find("SIGALRM") == std::string::npos) return removal.error;
    return fmt::format("the store did not answer within {} s", max_removal_s);
  }

  // One signal does not end a removal that has begun. A second signal does, and so does a store
  // that does not answer for long. If the signal ends the child before the removal has begun, a
  // second child removes the object.
  Removal try_to_remove() {
    Removal removal;
    for (int attempt = 0; attempt < 2; ++attempt) {
      const bench::InterruptWatch watch(end_signal);
      const bench::Outcome outcome = in_child([&] { remove_in_child(); });
      removal.error = outcome.error;
      removal.is_done = is_gone_.get() != 0;
      if (bench::interrupted_by() == 0) break;
      removal.signal = bench::interrupted_by();
      if (has_begun_.get() != 0) break;
    }
    return removal;
  }

  void remove_in_child() {
    has_begun_.set(1);
    ::alarm(max_removal_s);
    remove_object(uri_, folders_.get());
    is_gone_.set(1);
  }

  const std::string& uri_;
  SharedNumber folders_;  // those that the store did not have
  SharedNumber has_begun_;
  SharedNumber is_gone_;
  bool is_removed_ = false;
};

class Measuring {
 public:
  Measuring(const BenchExperiment& experiment, const std::string& uri, std::uint64_t bytes)
      : experiment_(experiment),
        uri_(uri),
        bytes_(bytes),
        ways_(experiment.ways()),
        timed_(ways_.size()) {}

  // Each round begins with another way. Returns false if a signal has asked for the end.
  bool run_round(std::uint64_t round) {
    std::vector<double> seconds(ways_.size(), 0);
    for (std::size_t turn = 0; turn < ways_.size(); ++turn) {
      const std::size_t i = (round + turn) % ways_.size();
      if (timed_[i].error.empty()) seconds[i] = time(ways_[i], timed_[i]);
      if (bench::interrupted_by() != 0) return false;
    }
    if (round != 0) add_round(seconds);  // round 0 is the warm-up
    return true;
  }

  const std::vector<BenchWay>& ways() const { return ways_; }
  const std::vector<Timed>& timed() const { return timed_; }

 private:
  void add_round(const std::vector<double>& seconds) {
    for (std::size_t i = 0; i < ways_.size(); ++i) {
      if (!timed_[i].error.empty()) continue;
      timed_[i].seconds.push_back(seconds[i]);
      if (timed_[0].error.empty()) timed_[i].ratios.push_back(seconds[0] / seconds[i]);
    }
  }

  double time(const BenchWay& way, Timed& timed) const {
    const auto verify = [&] {
      if (experiment_.writes) verify_object(uri_, bytes_);
    };
    const bench::Outcome outcome =
        in_child([&] { way.run(uri_, bytes_); }, [&] { load_stores(uri_); }, verify);
    timed.error = outcome.error;
    if (!outcome.measurement) return 0;
    timed.peak_bytes = std::max(timed.peak_bytes, outcome.measurement->peak_rss_bytes);
    return outcome.measurement->wall_s;
  }

  const BenchExperiment& experiment_;
  const std::string& uri_;
  const std::uint64_t bytes_;
  const std::vector<BenchWay> ways_;
  std::vector<Timed> timed_;
};

std::string line_of(const BenchWay& way, const Timed& timed, std::uint64_t bytes) {
  if (!timed.error.empty() || timed.seconds.empty()) {
    return fmt::format("  {:34} failed: {}\n", way.name, timed.error);
  }
  const double seconds = bench::median_of(timed.seconds);
  std::string text =
      fmt::format("  {:34} {:9.3f} {:9.0f} {:9}", way.name, seconds,
                  static_cast<double>(bytes) / seconds / 1e6, format_bytes_short(timed.peak_bytes));
  if (timed.ratios.empty()) return text + "        - (the first way has failed)\n";
  const bench::Spread ratio = bench::spread_of(timed.ratios);
  return text + fmt::format(" {:8.2f} ({:.2f} to {:.2f})\n", ratio.median, ratio.min, ratio.max);
}

nlohmann::json json_of(const BenchWay& way, const Timed& timed) {
  return {{"way", way.name},
          {"seconds", timed.seconds},
          {"ratios", timed.ratios},
          {"peak_bytes", timed.peak_bytes},
          {"error", timed.error}};
}

struct Plan {
  std::vector<const BenchExperiment*> experiments;
  std::string uri;
  std::uint64_t bytes;
  std::uint64_t rounds;
};

Plan plan_of(const BenchRequest& request) {
  constexpr std::uint64_t mib = std::uint64_t{1} << 20;
  const std::uint64_t usual_bytes = request.quick ? 50 * mib : 200 * mib;
  const std::uint64_t usual_rounds = request.quick ? 3 : 5;
  return {chosen(request), own_object(request.uri),
          request.size_bytes == 0 ? usual_bytes : request.size_bytes,
          request.rounds == 0 ? usual_rounds : request.rounds};
}

// What is measured, and where.
std::string heading(const Plan& plan) {
  const bench::Machine machine = bench::this_machine();
  return fmt::format("{} in {}, {} {} after the warm-up, this machine: {} processors, {}\n\n",
                     format_bytes(plan.bytes), without_options(plan.uri), plan.rounds,
                     plan.rounds == 1 ? "round" : "rounds", machine.cores, machine.cpu);
}

constexpr std::string_view legend =
    "\nseconds: the median of the rounds. memory: the most that a process of this way used.\n"
    "against the first: the way's speed, as a multiple of the speed that the first way of the\n"
    "table had in the same round: the median of the rounds, and in brackets the slowest and the\n"
    "fastest round. Larger is faster.\n";

std::string in_short(const Measuring& measuring) {
  const auto own = std::ranges::find_if(measuring.ways(), &BenchWay::is_usual);
  if (own == measuring.ways().end()) return "";
  const Timed& timed = measuring.timed()[static_cast<std::size_t>(own - measuring.ways().begin())];
  if (timed.ratios.empty()) return "";
  const bench::Spread ratio = bench::spread_of(timed.ratios);
  const bool is_clear = ratio.min > 1 || ratio.max < 1;
  return fmt::format("In short: {} had {:.2f} times the speed of {}{}.\n", own->name, ratio.median,
                     measuring.ways()[0].name,
                     is_clear ? "" : " (no clear difference: the rounds disagree)");
}

// Prints the table, and adds it to `json`. Returns false if a way has failed.
bool report(const BenchExperiment& experiment, const Measuring& measuring, const Plan& plan,
            nlohmann::json& json) {
  std::string text = &experiment == plan.experiments.front() ? heading(plan) : "\n";
  text += fmt::format("{}: {}, {}\n  {:34} {:>9} {:>9} {:9} {:>16}\n", experiment.id,
                      experiment.title, format_bytes(plan.bytes), "way", "seconds", "MB/s",
                      "memory", "against the first");
  nlohmann::json rows = nlohmann::json::array();
  bool is_ok = true;
  for (std::size_t i = 0; i < measuring.ways().size(); ++i) {
    const Timed& timed = measuring.timed()[i];
    is_ok = is_ok && timed.error.empty();
    text += line_of(measuring.ways()[i], timed, plan.bytes);
    rows.push_back(json_of(measuring.ways()[i], timed));
  }
  text += in_short(measuring);
  if (&experiment == plan.experiments.back()) text += legend;
  write_output(printable(text));
  json["experiments"].push_back({{"id", experiment.id}, {"rows", rows}});
  return is_ok;
}

// Returns false if a way has failed. A signal ends the experiments, and the one that was not
// complete is not reported.
bool run_experiments(const Plan& plan, nlohmann::json& json) {
  const bench::Outcome first = in_child([&] { writing_ways()[0].run(plan.uri, plan.bytes); },
                                        [&] { load_stores(plan.uri); });
  if (bench::interrupted_by() != 0) return true;
  expect(first);
  bool is_ok = true;
  for (const BenchExperiment* experiment : plan.experiments) {
    Measuring measuring(*experiment, plan.uri, plan.bytes);
    for (std::uint64_t round = 0; round <= plan.rounds; ++round) {
      if (!measuring.run_round(round)) return is_ok;
    }
    is_ok = report(*experiment, measuring, plan, json) && is_ok;
  }
  return is_ok;
}

struct End {
  bool is_ok = false;
  int signal = 0;
  std::exception_ptr not_removed{};
};

// The first watch is there for the moments between the others: a signal that ends this process
// leaves the object.
End run_and_remove(const Plan& plan, nlohmann::json& json) {
  const bench::InterruptWatch watch_of_all(end_signal);
  OwnObject object(plan.uri);
  End end;
  {
    const bench::InterruptWatch watch(end_signal);
    end.is_ok = run_experiments(plan, json);
    end.signal = bench::interrupted_by();
  }
  json["interrupted"] = end.signal != 0;
  try {
    const int later_signal = object.remove();
    if (end.signal == 0) end.signal = later_signal;
  } catch (const std::runtime_error&) {
    end.not_removed = std::current_exception();
  }
  return end;
}

}  // namespace

// These options are for files, and the help of `sluice bench` lists them.
static void refuse_options_of_files(CLI::App& command) {
  for (const char* option : {"--html", "--rows", "--replay", "--text", "--touch-memory"}) {
    const auto refuse = [option](const std::string&) -> std::string {
      throw CLI::ValidationError(option,
                                 "it does not go with an object store; what does: --size, "
                                 "--rounds, --quick and --json");
    };
    command.add_option(option)->check(refuse)->group("");
  }
}

CLI::App* add_bench(CLI::App& app, BenchRequest& request) {
  CLI::App* const command = app.add_subcommand("bench", "Measure an object store");
  command->add_option("EXPERIMENT", request.experiments, "object-write or object-read");
  command->add_option("--dir", request.uri, "The folder of the store: objects are made there")
      ->type_name("URI")
      ->take_last();
  add_quantity(*command, "--size", request.size_bytes,
               "Bytes of the object, by default 200M, with --quick 50M");
  add_count(*command, "--rounds", request.rounds, "5",
            "Counted rounds after the warm-up round; by default 5, with --quick 3");
  command->add_flag("--quick", request.quick, "Use a smaller object");
  add_name(*command, "--json", request.json_file, "FILE", "Also write all times to FILE as JSON");
  refuse_options_of_files(*command);
  return command;
}

int run_bench(const BenchRequest& request) {
  const Plan plan = plan_of(request);
  if (!request.json_file.empty()) expect_writable(request.json_file);
  nlohmann::json json = {{"dir", without_options(plan.uri)},
                         {"bytes", plan.bytes},
                         {"experiments", nlohmann::json::array()}};
  const End end = run_and_remove(plan, json);
  if (!request.json_file.empty()) write_text(request.json_file, json.dump(1) + "\n");
  if (end.not_removed) std::rethrow_exception(end.not_removed);
  if (end.signal != 0) {
    complain("sluice bench", fmt::format("ended by signal {}; its object is removed", end.signal));
    return 128 + end.signal;
  }
  return end.is_ok ? 0 : 1;
}

}  // namespace sluice::object
