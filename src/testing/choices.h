// Choices: decides how a schedule continues wherever it can continue in several ways.
//
// Way 0 is the usual one, and costs nothing. A schedule is described by its choices that are not 0.
// "17:1 43:2" means way 1 at the 17th choice and way 2 at the 43rd (counted from 0).
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
    deviation,  // every way but 0 is an exception; a schedule has few of them
    variant,    // no way is an exception: another case to try
  };

  // The choices that are not 0, with their numbers.
  using Unusual = std::vector<std::pair<std::size_t, std::size_t>>;

  // Chooses one of `ways` ways; `ways` is at least 1.
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

// Gives all schedules with at most a given number of deviations, one after another.
class AllChoices final : public Choices {
 public:
  explicit AllChoices(std::size_t max_deviations) : max_deviations_(max_deviations) {}

  // Goes to the next schedule. False if there is none.
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
  std::vector<Choice> path_;  // up to the latest choice
  std::size_t deviations_ = 0;
};

// Deviates now and then. A random number of each schedule says how often.
class RandomChoices final : public Choices {
 public:
  explicit RandomChoices(std::uint64_t seed);

 private:
  std::size_t decide(std::size_t ways, Kind kind) override;

  std::mt19937_64 random_;
  std::size_t one_in_;
};

// Repeats the choices of another schedule.
class RepeatedChoices final : public Choices {
 public:
  explicit RepeatedChoices(Unusual unusual) : repeated_(std::move(unusual)) {}

 private:
  std::size_t decide(std::size_t ways, Kind kind) override;

  const Unusual repeated_;
  std::size_t next_ = 0;
};

}  // namespace sluice::testing
