// `read-whole`: a file is read into memory, by the usual recipes of programmers, and by sluice.
//
// Every row ends with the file's bytes in memory, and their hash is checked afterwards. The result
// of the last reading lives until this check, so that no row's time includes giving back its
// memory. If a row reads a file many times, its time includes giving back the memory of the earlier
// readings.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/data.h"
#include "bench/experiments/input/raw_read.h"
#include "bench/experiments/read_whole/whole_recipes.h"
#include "bench/experiments/registry.h"

namespace sluice::bench {
namespace {

constexpr std::size_t larger_buffer = 256 * 1024;
constexpr std::size_t line_bytes = 60;
constexpr std::uint64_t small_file_bytes = 10'000 * line_bytes;
constexpr unsigned max_repeats = 100;

std::string_view view(const std::string& text) { return text; }
std::string_view view(const Bytes& bytes) { return bytes.text(); }
std::string_view view(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

void expect_content(std::string_view content, const InputFile& input) {
  if (content.size() != input.bytes) {
    throw std::runtime_error(
        fmt::format("{} bytes read instead of {}", content.size(), input.bytes));
  }
  if (hash_bytes(content.data(), content.size()) != input.hash) {
    throw std::runtime_error("the bytes read differ from the bytes of the file");
  }
}

// The rows of one group. Each row reads the same file `repeats` times.
class Rows {
 public:
  Rows(SharedInput input, unsigned repeats, bool cached)
      : input_(std::move(input)), repeats_(repeats), cached_(cached) {}

  // Adds a row with a recipe, which returns the file's content as a new string, Bytes or
  // MappedFile.
  template <typename Content>
  void recipe(const char* name, Content (*read)(const std::string&, Tuning), Tuning tuning = {},
              Kind kind = Kind::peer) {
    add_keeping<Content>(named(name, kind, tuning.buffer_bytes),
                         [read, tuning](const std::string& path, std::optional<Content>& kept) {
                           kept.reset();
                           kept.emplace(read(path, tuning));
                         });
  }

  // Adds a row that reads again and again into the same object, by the function's out-parameter.
  template <typename Content>
  void reusing(const char* name) {
    add_keeping<Content>(named(name, Kind::sluice, 0),
                         [](const std::string& path, std::optional<Content>& kept) {
                           if (!kept) kept.emplace();
                           read_file(path, *kept).throw_if_error();
                         });
  }

  // Adds a row that reads into memory that was touched before.
  void into_warm_memory(const char* name, Kind kind,
                        std::size_t (*read)(const std::string&, MutableBytesView)) {
    struct State {
      std::unique_ptr<WarmMemory> memory;
      std::size_t got = 0;
    };
    auto state = std::make_shared<State>();
    Strategy strategy = named(name, kind, 0);
    strategy.prepare = [state, input = input_] {
      state->memory = std::make_unique<WarmMemory>(input->bytes);
    };
    strategy.run = [state, read, input = input_, repeats = repeats_] {
      const MutableBytesView into(state->memory->data(), state->memory->size());
      for (unsigned repeat = 0; repeat < repeats; ++repeat) state->got = read(input->path, into);
    };
    strategy.verify = [state, input = input_] {
      expect_content({reinterpret_cast<const char*>(state->memory->data()), state->got}, *input);
    };
    add(std::move(strategy));
  }

  std::vector<Strategy> take() { return std::move(strategies_); }

 private:
  static Strategy named(const char* name, Kind kind, std::size_t buffer_bytes) {
    Strategy strategy;
    strategy.name = name;
    strategy.kind = kind;
    strategy.buffer_bytes = buffer_bytes;
    return strategy;
  }

  // `read_once` stores the content in its second argument, which is kept for the verification.
  template <typename Content, typename ReadOnce>
  void add_keeping(Strategy strategy, ReadOnce read_once) {
    auto kept = std::make_shared<std::optional<Content>>();
    strategy.run = [kept, read_once, input = input_, repeats = repeats_] {
      for (unsigned repeat = 0; repeat < repeats; ++repeat) read_once(input->path, *kept);
    };
    strategy.verify = [kept, input = input_] { expect_content(view(kept->value()), *input); };
    add(std::move(strategy));
  }

  void add(Strategy strategy) {
    strategy.bytes = input_->bytes * repeats_;
    strategy.operations = repeats_;
    prepare_cache(strategy, input_, cached_);
    strategies_.push_back(std::move(strategy));
  }

  SharedInput input_;
  unsigned repeats_;
  bool cached_;
  std::vector<Strategy> strategies_;
};

std::size_t warm_read(const std::string& path, MutableBytesView into) {
  return RawFile(path).read_fully(into.data(), into.size());
}

std::size_t sluice_read_into(const std::string& path, MutableBytesView into) {
  std::size_t got = 0;
  read_into(path, into, got).throw_if_error();
  return got;
}

// If nothing is cached, the device decides, so the slower recipes are left out.
std::vector<Strategy> strategies(const SharedInput& input, unsigned repeats, bool cached) {
  constexpr Tuning buffer = {.buffer_bytes = larger_buffer};
  constexpr Tuning reserve = {.reserve = true};
  constexpr Tuning both = {.buffer_bytes = larger_buffer, .reserve = true};
  Rows rows(input, repeats, cached);
  // The limit is not `raw read`, as in other experiments. `raw read` fills one block again and
  // again, so the whole file is never in memory.
  rows.into_warm_memory("warm read", Kind::limit, warm_read);
  // The baseline is the recipe that people find first if they look for a way to read a file.
  rows.recipe("stringstream << rdbuf", stringstream_rdbuf, {}, Kind::baseline);
  if (cached) {
    rows.recipe("stringstream << rdbuf pubsetbuf=256K", stringstream_rdbuf, buffer);
    rows.recipe("istreambuf_iterator into stringstream", copy_iterators);
    rows.recipe("string.assign(iterators)", assign_iterators);
    rows.recipe("string.assign(iterators) reserve", assign_iterators, reserve);
    rows.recipe("string.assign(iterators) pubsetbuf=256K", assign_iterators, buffer);
    rows.recipe("std::getline append", getline_append);
    rows.recipe("std::getline append reserve pubsetbuf=256K", getline_append, both);
    rows.recipe("rdbuf()->sgetn pubsetbuf=256K", rdbuf_sgetn, buffer);
    rows.recipe("istream::read into array, assign", read_array_assign);
    rows.recipe("custom streambuf 256K", custom_streambuf, buffer);
  }
  rows.recipe("rdbuf()->sgetn", rdbuf_sgetn);
  rows.recipe("istream::read", istream_read);
  rows.recipe("fread", fread_whole);
  rows.recipe("mmap, string.assign", mmap_assign);
  rows.recipe("sluice read_file string", sluice_string, {}, Kind::sluice);
  rows.recipe("sluice read_file Bytes", sluice_bytes, {}, Kind::sluice);
  if (repeats > 1) {
    rows.reusing<std::string>("sluice read_file string, reused");
    rows.reusing<Bytes>("sluice read_file Bytes, reused");
  }
  rows.into_warm_memory("sluice read_into", Kind::sluice, sluice_read_into);
  rows.recipe("sluice map_file, every page touched", sluice_map, {}, Kind::sluice);
  return rows.take();
}

}  // namespace

Experiment read_whole_experiment(const Settings& settings) {
  const std::uint64_t default_bytes = (settings.quick ? 32 : 256) * std::uint64_t{1024 * 1024};
  const std::uint64_t bytes = settings.size_bytes != 0 ? settings.size_bytes : default_bytes;
  const auto repeats =
      static_cast<unsigned>(std::clamp<std::uint64_t>(bytes / small_file_bytes, 1, max_repeats));
  const SharedInput small = declare_input_file(settings.directory, "small.txt", small_file_bytes);
  const SharedInput large = declare_input_file(settings.directory, "large.txt", bytes);

  Experiment experiment;
  experiment.id = "read-whole";
  experiment.title = "a whole file into memory; limit: read(2) into memory already touched";
  experiment.bytes = bytes;
  experiment.scratch_bytes = bytes + small_file_bytes;
  experiment.groups = {
      {fmt::format("a file of 10,000 lines read {} times, cached", repeats),
       strategies(small, repeats, true),
       "The kernel's copy is the limit. A stringstream copies all bytes twice more. Iterators go "
       "byte by byte. A string is filled with zeros before a read fills it."},
      {"one large file, cached", strategies(large, 1, true),
       "Fresh memory costs more than the copy, because the kernel must find and clear every page. "
       "Each further copy of the file costs the same again. Huge pages save most of this cost. A "
       "map copies nothing: its pages are the pages of the cache."},
      {cold_title("one large file", settings.directory), strategies(large, 1, false),
       "The device sets the pace. A program's own work costs time only if it does not run while "
       "the device reads."},
  };
  experiment.set_up = [small, large, text_file = settings.text_file] {
    make_input_file(*small, sample_of_equal_lines(line_bytes));
    make_input_file(*large, text_file.empty() ? sample_of_equal_lines(line_bytes)
                                              : sample_of_real_text(text_file));
  };
  return experiment;
}

}  // namespace sluice::bench
