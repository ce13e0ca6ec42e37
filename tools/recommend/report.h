// The text and the JSON of `sluice recommend`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/machine.h"
#include "machine/disturbance.h"
#include "recommend/search.h"
#include "recommend/trial.h"

namespace sluice::recommend {

// How the recommended choice compares with the best of all choices.
struct Sweep {
  std::vector<Timed> all;
  // The recommended choice, the defaults and the fastest ones, measured again in the same rounds.
  std::vector<Timed> finalists;
};

struct Report {
  bench::Machine machine;
  std::string directory;
  std::string filesystem;
  std::string sample;  // the file's name, or "random bytes"
  std::uint64_t bytes = 0;
  bool is_quick = false;
  bool is_without_compression = false;  // see least_bytes_to_compress
  std::string codec = usual_codec;      // of a choice that compresses
  Found found;
  Disturbance disturbance = {};
  std::optional<Sweep> sweep;
};

std::string text_of(const Report& report);
std::string json_of(const Report& report);

// "cache drop, write-back 8M"; "the defaults".
std::string name_of(const Choice& choice, const std::string& codec);

}  // namespace sluice::recommend
