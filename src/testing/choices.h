// Choices: what a schedule does wherever it may go on in more than one way.
//
// Way 0 is the usual one, and costs nothing. A schedule is told by the choices that are not 0, as
// in "17:1 43:2": way 1 at the 17th choice, 2 at the 43rd (counted from 0).
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace sluice::testing {

class Choices {
 public:
  virtual ~Choices() = default;

  enum class Kind : std::uint8_t {
    deviation,  // every way but 0 is an exception, of which a schedule has few
    variant,    // all ways are alike: another case to look at
  };

  // Which choices are not 0, and what they are.
  using Unusual = std::vector<std::pair<std::size_t, std::size_t>>;

  // One of `ways`, which are at least 1.
  std::size_t pick(std::size_t ways, Kind kind = Kind::deviation);
  const Unusual& unusual() const { return unusual_; }

 protected:
  virtual std::size_t decide(std::size_t ways, Kind kind) = 0;
  void begin_anew();
  std::size_t made() const { return made_; }

 private:
  std::size_t made_ = 0;
  Unusual unusual_;
};

std::string to_string(const Choices::Unusual& unusual);
Choices::Unusual unusual_from(const std::string& text);

// All schedules with so many deviations at most, one after another.
class AllChoices final : public Choices {
 public:
  explicit AllChoices(std::size_t max_deviations) : max_deviations_(max_deviations) {}

  // To the next schedule; false when there is none.
  bool next();

 private:
  struct Choice {
    std::size_t way;
    std::size_t ways;
    Kind kind;
  };

  std::size_t decide(std::size_t ways, Kind kind) override;
  bool may_take_next_way(const Choice& choice) const;

  const std::size_t max_deviations_;
  std::vector<Choice> path_;  // up to the last choice that was made
  std::size_t deviations_ = 0;
};

// Deviates now and then; how often is another random number.
class RandomChoices final : public Choices {
 public:
  explicit RandomChoices(std::uint64_t seed);

 private:
  std::size_t decide(std::size_t ways, Kind kind) override;

  std::mt19937_64 random_;
  std::size_t one_in_;
};

// Those that another schedule has made.
class RepeatedChoices final : public Choices {
 public:
  explicit RepeatedChoices(Unusual unusual) : repeated_(std::move(unusual)) {}

 private:
  std::size_t decide(std::size_t ways, Kind kind) override;

  const Unusual repeated_;
  std::size_t next_ = 0;
};

}  // namespace sluice::testing
