// The options of a Writer that `sluice recommend` measures, and their values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sluice/options.h"

namespace sluice::recommend {

// What a trial opens its Writer with.
struct Configuration {
  WriterOptions options;
  bool is_compressed = false;
};

struct Value {
  std::string name;  // "8M"
  std::string code;  // ".write_back_bytes = 8 << 20", or "" for the default
  void (*apply)(Configuration& configuration);
};

struct Setting {
  std::string name;  // "write-back"
  // The first is the default. A later value is recommended only if it is clearly faster than the
  // earlier ones, so of the others the one that was the fastest most often comes first.
  std::vector<Value> values;
  // The search tries the first so many values. A sweep also tries the others, which were never
  // much faster than the first ones.
  std::size_t searched = 2;
};

// For each setting the index of its value. All 0: the defaults.
using Choice = std::vector<std::size_t>;

// The settings in the order in which they are printed. Without the zstd library no setting is about
// compression.
const std::vector<Setting>& settings();

// The codec that the setting about compression tries, unless another one suits the sample better.
// The search does not try several, because the sizes of the files tell which one to try.
inline constexpr const char* usual_codec = "zstd";

// The name of a value ("8M"). The value that compresses has the name of its codec
// ("series:double").
const std::string& name_of(std::size_t setting, std::size_t value, const std::string& codec);

// The index of the setting that is about compression, if there is one.
std::optional<std::size_t> compression_setting();

// Indexes of settings that are searched together, because the gain of one depends on the others.
// What may gain most comes first.
std::vector<std::vector<std::size_t>> stages();

Configuration configuration_of(const Choice& choice);

// False if another choice does the same. For example, Cache::drop has a pace of its own.
bool is_distinct(const Choice& choice);

// All distinct choices.
std::vector<Choice> every_choice();

// The call that opens a Writer with this choice, as a line of C++. Each trial was durable at close,
// and so is this Writer. A choice that compresses does so by the codec.
std::string code_of(const Choice& choice, const std::string& codec);

}  // namespace sluice::recommend
