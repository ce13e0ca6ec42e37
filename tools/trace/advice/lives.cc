#include "trace/advice/lives.h"

#include <fmt/format.h>

#include "trace/costs/language_costs.h"
#include "trace/places/interpreters.h"

namespace sluice::trace {
namespace {

constexpr double most_of_a_short_life_s = 0.05;

}  // namespace

std::string place_of_starts_by(const std::string& program) {
  return fmt::format("programs that {} starts", program);
}

void Life::add(const Process& process) {
  // The processor time before a log grows from program to program.
  if (last == nullptr || process.begun_s >= last->begun_s) last = &process;
  ++programs;
  wall_s += process.wall_s;
}

bool Life::is_short() const {
  return wall_s <= most_of_a_short_life_s + own_start_s && last->ended;
}

Lives::Lives(const Profile& profile) : least_begun_s_(profile.start_cost.begun_s) {
  for (const Process& process : profile.processes) lives_[process.number].add(process);
  for (auto& [number, life] : lives_) {
    const double least_s = least_start_s(interpreter_in(life.last->program));
    if (!is_copy(life)) life.own_start_s = std::max(0.0, least_s - profile.start_cost.plain_s);
  }
  for (const auto& [number, life] : lives_) {
    if (!is_copy(life)) ++starts_[starter_of(life)];
  }
}

bool Lives::is_copy(const Life& life) const {
  const auto parent = lives_.find(life.last->parent);
  return parent != lives_.end() && life.programs == 1 && life.last->begun_s < least_begun_s_ &&
         life.last->program == parent->second.last->program;
}

std::string Lives::starter_of(int number) const {
  const int starter = starter_of(of(number));
  return starter == 0 ? "" : of(starter).last->program;
}

int Lives::origin_of(const Life& life) const {
  int number = starter_of(life);
  while (number != 0 && !starts_many(number)) {
    const Life& starter = of(number);
    if (!starter.is_short()) return 0;
    number = starter_of(starter);
  }
  return number;
}

bool Lives::starts_many(int number) const {
  const auto found = starts_.find(number);
  return found != starts_.end() && found->second >= many_starts;
}

int Lives::starter_of(const Life& life) const {
  int number = life.last->parent;
  for (std::size_t steps = 0; steps < lives_.size(); ++steps) {
    const auto found = lives_.find(number);
    if (found == lives_.end()) return 0;
    if (!is_copy(found->second)) return number;
    number = found->second.last->parent;
  }
  return 0;
}

}  // namespace sluice::trace
