#include "testing/explore.h"

#include <cstdlib>
#include <utility>

#include "testing/choices.h"

namespace sluice::testing {
namespace {

constexpr std::size_t few_schedules = 10'000;

std::size_t number_in_environment(const char* name, std::size_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

bool goes_wrong(const Scenario& scenario, const Choices::Unusual& unusual) {
  RepeatedChoices choices(unusual);
  return !Interleaving(choices).run(scenario).empty();
}

// Most of the choices of a random schedule do not matter.
Choices::Unusual without_needless(const Scenario& scenario, Choices::Unusual unusual) {
  for (std::size_t i = unusual.size(); i-- > 0;) {
    Choices::Unusual fewer = unusual;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (goes_wrong(scenario, fewer)) unusual = std::move(fewer);
  }
  return unusual;
}

std::string account_of(const Scenario& scenario, const Choices::Unusual& unusual) {
  RepeatedChoices choices(unusual);
  Interleaving threads(choices);
  const std::string wrong = threads.run(scenario);
  return wrong + "\nSLUICE_SCHEDULE='" + to_string(unusual) + "'\n" +
         "A thread is held up before what its last line says.\n" + threads.trace();
}

// Whether it went well.
bool run_one(const Scenario& scenario, Choices& choices, Exploration& exploration) {
  ++exploration.schedules;
  if (Interleaving(choices).run(scenario).empty()) return true;
  exploration.failure = account_of(scenario, without_needless(scenario, choices.unusual()));
  return false;
}

}  // namespace

Exploration explore_random(const Scenario& scenario, std::uint64_t first_seed,
                           std::size_t schedules) {
  Exploration exploration;
  for (std::uint64_t seed = first_seed; seed < first_seed + schedules; ++seed) {
    RandomChoices choices(seed);
    if (!run_one(scenario, choices, exploration)) break;
  }
  return exploration;
}

Exploration explore_all(const Scenario& scenario, std::size_t most_deviations) {
  Exploration exploration;
  for (std::size_t most = 0; most <= most_deviations; ++most) {
    AllChoices choices(most);
    do {
      if (!run_one(scenario, choices, exploration)) return exploration;
    } while (choices.next());
  }
  return exploration;
}

Exploration explore(const Scenario& scenario, std::size_t most_deviations, std::size_t costs) {
  if (const char* text = std::getenv("SLUICE_SCHEDULE")) {
    return {account_of(scenario, unusual_from(text)), 1};
  }
  const std::size_t asked_for = number_in_environment("SLUICE_INTERLEAVINGS", 0);
  const std::uint64_t first_seed = number_in_environment("SLUICE_INTERLEAVING_SEED", 1);
  const std::size_t random = (asked_for != 0 ? asked_for : few_schedules) / costs;
  Exploration some = explore_random(scenario, first_seed, random);
  if (!some.failure.empty()) return some;
  Exploration all = explore_all(scenario, most_deviations + (asked_for != 0 ? 1 : 0));
  all.schedules += some.schedules;
  return all;
}

}  // namespace sluice::testing
