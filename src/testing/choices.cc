#include "testing/choices.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace sluice::testing {

std::size_t Choices::pick(std::size_t ways, Kind kind) {
  if (ways < 2) return 0;
  const std::size_t way = decide(ways, kind);
  if (way != 0) unusual_.emplace_back(made_, way);
  ++made_;
  return way;
}

void Choices::begin_anew() {
  made_ = 0;
  unusual_.clear();
}

std::size_t AllChoices::decide(std::size_t ways, Kind kind) {
  if (made() == path_.size()) path_.push_back({0, ways, kind});
  const Choice& choice = path_[made()];
  if (choice.ways != ways || choice.kind != kind) std::abort();  // the scenario has changed
  return choice.way;
}

bool AllChoices::may_take_next_way(const Choice& choice) const {
  if (choice.way + 1 == choice.ways) return false;
  return choice.kind == Kind::variant || choice.way != 0 || deviations_ < max_deviations_;
}

bool AllChoices::next() {
  begin_anew();
  while (!path_.empty()) {
    Choice& last = path_.back();
    if (may_take_next_way(last)) {
      if (last.kind == Kind::deviation && last.way == 0) ++deviations_;
      ++last.way;
      return true;
    }
    if (last.kind == Kind::deviation && last.way != 0) --deviations_;
    path_.pop_back();
  }
  return false;
}

RandomChoices::RandomChoices(std::uint64_t seed) : random_(seed) {
  one_in_ = std::size_t{2} << random_() % 6;
}

// The last way holds a thread up. It finds several times as many defects as the other ways.
std::size_t RandomChoices::decide(std::size_t ways, Kind kind) {
  if (kind == Kind::variant) return random_() % ways;
  if (random_() % one_in_ != 0) return 0;
  return random_() % 2 == 0 ? ways - 1 : 1 + random_() % (ways - 1);
}

std::size_t RepeatedChoices::decide(std::size_t ways, Kind) {
  while (next_ < repeated_.size() && repeated_[next_].first < made()) ++next_;
  if (next_ == repeated_.size() || repeated_[next_].first != made()) return 0;
  return std::min(repeated_[next_].second, ways - 1);
}

std::string to_string(const Choices::Unusual& unusual) {
  std::string text;
  for (const auto& [choice, way] : unusual) {
    if (!text.empty()) text += ' ';
    text += std::to_string(choice) + ':' + std::to_string(way);
  }
  return text;
}

Choices::Unusual unusual_from(const std::string& text) {
  Choices::Unusual unusual;
  std::istringstream words(text);
  std::size_t choice = 0;
  std::size_t way = 0;
  char colon = ':';
  while (words >> choice >> colon >> way) unusual.emplace_back(choice, way);
  return unusual;
}

}  // namespace sluice::testing
