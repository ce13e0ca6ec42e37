#include "testing/explore.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "testing/choices.h"

namespace sluice::testing {
namespace {

// A sanitizer makes a schedule take up to thirty times as long, and sees each line of the code in
// the first schedules.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t few_schedules = 300;
constexpr std::size_t few_deviations = 1;
#else
constexpr std::size_t few_schedules = 20'000;
constexpr std::size_t few_deviations = SIZE_MAX;
#endif

std::size_t number_in_environment(const char* name, std::size_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

const Choices* being_tried = nullptr;

void show_what_was_tried(int signal) {
  const std::string line = "signal " + std::to_string(signal) + " in SLUICE_SCHEDULE='" +
                           to_string(being_tried->unusual()) + "'\n";
  static_cast<void>(::write(STDERR_FILENO, line.data(), line.size()) < 0);
}

// If a signal ends the process, prints the schedule first. Then the signal has its usual effect.
class ShownWhenItDies {
 public:
  ShownWhenItDies() {
    struct sigaction action {};
    action.sa_handler = show_what_was_tried;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (std::size_t i = 0; i < signals.size(); ++i) {
      ::sigaction(signals[i], &action, &previous_[i]);
    }
  }
  ~ShownWhenItDies() {
    for (std::size_t i = 0; i < signals.size(); ++i) {
      ::sigaction(signals[i], &previous_[i], nullptr);
    }
  }
  ShownWhenItDies(const ShownWhenItDies&) = delete;
  ShownWhenItDies& operator=(const ShownWhenItDies&) = delete;

 private:
  static constexpr std::array signals{SIGSEGV, SIGBUS, SIGABRT};
  std::array<struct sigaction, signals.size()> previous_{};
};

bool goes_wrong(const Scenario& scenario, const Choices::Unusual& unusual) {
  RepeatedChoices choices(unusual);
  being_tried = &choices;
  return !Interleaving(choices).run(scenario).empty();
}

// Drops the choices that the failure does not need. Most choices of a random schedule are of this
// kind.
Choices::Unusual without_needless(const Scenario& scenario, Choices::Unusual unusual) {
  for (std::size_t i = unusual.size(); i-- > 0;) {
    Choices::Unusual fewer = unusual;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (goes_wrong(scenario, fewer)) unusual = std::move(fewer);
  }
  return unusual;
}

std::string account_of(const std::string& wrong, const Choices::Unusual& unusual,
                       const Interleaving& threads) {
  return wrong + "\nSLUICE_SCHEDULE='" + to_string(unusual) + "'\n" +
         "A thread is held up before what its last line says.\n" + threads.trace();
}

// Runs the schedule with these choices again. Returns the failure, or "" if nothing goes wrong.
std::string repeat(const Scenario& scenario, const Choices::Unusual& unusual) {
  RepeatedChoices choices(unusual);
  being_tried = &choices;
  Interleaving threads(choices);
  const std::string wrong = threads.run(scenario);
  return wrong.empty() ? "" : account_of(wrong, unusual, threads);
}

// Runs one schedule. Returns true if nothing went wrong.
bool run_one(const Scenario& scenario, Choices& choices, Exploration& exploration) {
  ++exploration.schedules;
  being_tried = &choices;
  Interleaving threads(choices);
  const std::string wrong = threads.run(scenario);
  if (wrong.empty()) return true;
  exploration.failure = repeat(scenario, without_needless(scenario, choices.unusual()));
  if (exploration.failure.empty()) {  // the threads of a forked child follow no schedule
    exploration.failure = account_of(wrong + ", but not each time", choices.unusual(), threads);
  }
  return false;
}

}  // namespace

Exploration explore_random(const Scenario& scenario, std::uint64_t first_seed,
                           std::size_t schedules) {
  const ShownWhenItDies shown;
  Exploration exploration;
  for (std::uint64_t seed = first_seed; seed < first_seed + schedules; ++seed) {
    RandomChoices choices(seed);
    if (!run_one(scenario, choices, exploration)) break;
  }
  return exploration;
}

Exploration explore_all(const Scenario& scenario, std::size_t max_deviations) {
  const ShownWhenItDies shown;
  Exploration exploration;
  for (std::size_t most = 0; most <= max_deviations; ++most) {
    AllChoices choices(most);
    do {
      if (!run_one(scenario, choices, exploration)) return exploration;
    } while (choices.next());
  }
  return exploration;
}

Exploration explore(const Scenario& scenario, std::size_t max_deviations, std::size_t costs) {
  if (const char* text = std::getenv("SLUICE_SCHEDULE")) {
    return {repeat(scenario, unusual_from(text)), 1};
  }
  const std::size_t random = number_in_environment("SLUICE_INTERLEAVINGS", few_schedules) / costs;
  Exploration some =
      explore_random(scenario, number_in_environment("SLUICE_INTERLEAVING_SEED", 1), random);
  if (!some.failure.empty()) return some;
  Exploration all =
      explore_all(scenario, number_in_environment("SLUICE_INTERLEAVING_DEVIATIONS",
                                                  std::min(max_deviations, few_deviations)));
  all.schedules += some.schedules;
  return all;
}

}  // namespace sluice::testing
