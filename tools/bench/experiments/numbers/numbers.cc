// `numbers`: integers and floating-point numbers as text, one number per line, written and read.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "bench/data.h"
#include "bench/experiments/input/file_map.h"
#include "bench/experiments/input/raw_read.h"
#include "bench/experiments/numbers/number_rows.h"
#include "bench/experiments/output/pattern_output.h"
#include "bench/experiments/registry.h"

namespace sluice::bench {
namespace {

// The integers are 0, 1, 2, ... up to the last number of nine digits, and then again. The doubles
// are uniform in [0, 1), and a generator makes the same doubles each time. They repeat, so that the
// size of their text is known without making the text.
constexpr std::uint64_t distinct_integers = 1'000'000'000;
constexpr std::uint64_t distinct_doubles = 65536;
template <typename Number>
constexpr std::uint64_t distinct =
    std::is_integral_v<Number> ? distinct_integers : distinct_doubles;
template <typename Number>
std::vector<Number> make_numbers(std::uint64_t count);

template <>
std::vector<int> make_numbers(std::uint64_t count) {
  std::vector<int> numbers(count);
  for (std::uint64_t i = 0; i < count; ++i) numbers[i] = static_cast<int>(i % distinct<int>);
  return numbers;
}

template <>
std::vector<double> make_numbers(std::uint64_t count) {
  constexpr double two_to_minus_53 = 0x1p-53;
  std::mt19937_64 random(1);
  std::vector<double> numbers;
  numbers.reserve(count);
  while (numbers.size() < std::min(count, distinct<double>)) {
    numbers.push_back(static_cast<double>(random() >> 11) * two_to_minus_53);
  }
  while (numbers.size() < count) numbers.push_back(numbers[numbers.size() - distinct<double>]);
  return numbers;
}

constexpr std::uint64_t default_count = 10'000'000;
constexpr std::uint64_t quick_count = 1'000'000;

// The size of the text of the first `count` numbers, at most all distinct ones.
template <typename Number>
std::uint64_t distinct_text_bytes(std::uint64_t count);

// Numbers from 10 to 99 have one digit more than numbers from 1 to 9, and so on.
template <>
std::uint64_t distinct_text_bytes<int>(std::uint64_t count) {
  std::uint64_t bytes = 2 * count;
  for (std::uint64_t first = 10; first < count; first *= 10) bytes += count - first;
  return bytes;
}

template <typename Number>
std::string text_of(const std::vector<Number>& numbers) {
  std::string text;
  text.reserve(std::is_integral_v<Number> ? distinct_text_bytes<int>(numbers.size()) : 0);
  for (const Number number : numbers) {
    char one[max_number_bytes];
    text.append(one, append_number(one, number));
  }
  return text;
}

template <>
std::uint64_t distinct_text_bytes<double>(std::uint64_t count) {
  return text_of(make_numbers<double>(count)).size();
}

// The size of the text of the first `count` numbers.
template <typename Number>
std::uint64_t text_bytes(std::uint64_t count) {
  const std::uint64_t repeats = count / distinct<Number>;
  const std::uint64_t rest = distinct_text_bytes<Number>(count % distinct<Number>);
  return repeats == 0 ? rest : repeats * distinct_text_bytes<Number>(distinct<Number>) + rest;
}

// Compares the numbers, not the texts, because texts may differ: for 0.1 "%.17g" writes
// 0.10000000000000001.
template <typename Number>
void expect_numbers(const std::string& path, std::uint64_t count) {
  Tally expected;
  for (const Number number : make_numbers<Number>(count)) add_number(expected, number);
  const FileMap map(path);
  const char* at = map.data();
  const char* const end = at + map.size();
  Tally found;
  while (at != end) {
    Number number;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error != std::errc() || rest == end || *rest != '\n') {
      throw std::runtime_error(fmt::format("{} has wrong text at byte {}: a number was expected",
                                           path, at - map.data()));
    }
    add_number(found, number);
    at = rest + 1;
  }
  expect_tally(found, expected);
}

template <typename Number>
Strategy writing_strategy(const NumberWritingRow<Number>& row, const std::string& path,
                          const SharedInput& text, std::uint64_t count) {
  const auto numbers = std::make_shared<std::vector<Number>>();
  return {
      .name = row.name,
      .kind = row.kind,
      .buffer_bytes = row.buffer_bytes,
      .bytes = text->bytes,  // bytes of the shortest text, so that all ratios are about equal work
      .operations = count,
      .prepare = [numbers, count] { *numbers = make_numbers<Number>(count); },
      .run = [numbers, path, write = row.write] { write(path, *numbers); },
      .verify =
          [path, text, count] {
            if (!std::is_integral_v<Number> && hash_file(path) != text->hash) {
              expect_numbers<Number>(path, count);
            } else {
              expect_file(path, text->bytes, text->hash);
            }
          },
  };
}

template <typename Number>
Strategy reading_strategy(const NumberReadingRow& row, const SharedInput& text,
                          std::uint64_t count) {
  const auto found = std::make_shared<Tally>();
  return {
      .name = row.name,
      .kind = row.kind,
      .buffer_bytes = row.buffer_bytes,
      .bytes = text->bytes,
      .operations = count,
      .prepare = {},
      .run = [found, text, read = row.read] { *found = read(text->path); },
      .verify =
          [found, count] {
            Tally expected;
            for (const Number number : make_numbers<Number>(count)) add_number(expected, number);
            expect_tally(*found, expected);
          },
  };
}

// The input file for one type of number. The written files must have the same bytes or numbers.
template <typename Number>
struct Sort {
  const char* name;
  std::uint64_t count;
  std::string output;
  SharedInput text;
};

template <typename Number>
Sort<Number> declare_sort(const char* name, std::uint64_t count, const Settings& settings) {
  const std::string file = fmt::format("numbers-{}.in", name);
  return {name, count, settings.directory + "/numbers.out",
          declare_input_file(settings.directory, file.c_str(), text_bytes<Number>(count))};
}

std::string title_of(std::string_view verb, const char* name, std::uint64_t count) {
  constexpr std::uint64_t million = 1'000'000;
  return count % million == 0 ? fmt::format("{} {} M {}", verb, count / million, name)
                              : fmt::format("{} {} {}", verb, count, name);
}

template <typename Number>
Experiment::Group writing_group(const Sort<Number>& sort, const char* why) {
  Experiment::Group group{title_of("write", sort.name, sort.count), {}, why};
  group.strategies = {raw_write_strategy({.paths = {sort.output}, .bytes = sort.text->bytes})};
  for (const NumberWritingRow<Number>& row : number_writing_rows<Number>()) {
    group.strategies.push_back(writing_strategy(row, sort.output, sort.text, sort.count));
  }
  return group;
}

template <typename Number>
Experiment::Group reading_group(const Sort<Number>& sort, const char* why) {
  Experiment::Group group{title_of("read", sort.name, sort.count), {}, why};
  group.strategies = {raw_read_strategy(sort.text)};
  group.strategies.front().bytes = sort.text->bytes;
  group.strategies.front().operations = sort.count;
  for (const NumberReadingRow& row : number_reading_rows<Number>()) {
    group.strategies.push_back(reading_strategy<Number>(row, sort.text, sort.count));
  }
  for (Strategy& strategy : group.strategies) prepare_cache(strategy, sort.text, true);
  return group;
}

template <typename Number>
void make_text(const Sort<Number>& sort) {
  const std::uint64_t count = std::min(sort.count, distinct<Number>);
  make_input_file(*sort.text, text_of(make_numbers<Number>(count)));
}

std::uint64_t count_for(const Settings& settings) {
  if (settings.size_bytes == 0) return settings.quick ? quick_count : default_count;
  const double mean_bytes =
      static_cast<double>(text_bytes<double>(distinct_doubles)) / distinct_doubles;
  const auto count = static_cast<double>(settings.size_bytes) / mean_bytes;
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(count), 1);
}

// set_up makes the text of the integers in memory. Writing keeps the doubles in memory, and its
// check makes them once more.
std::uint64_t memory_bytes(std::uint64_t count) {
  const std::uint64_t integers = std::min(count, distinct_integers);
  const std::uint64_t setting_up = integers * sizeof(int) + text_bytes<int>(integers);
  return std::max(setting_up, 2 * count * sizeof(double));
}

// The two inputs, and the file that a row writes.
std::uint64_t scratch_bytes(const Sort<int>& integers, const Sort<double>& doubles) {
  constexpr std::uint64_t max_double_bytes = 23;  // "0.00012345678901234567\n"
  return integers.text->bytes + doubles.text->bytes + doubles.count * max_double_bytes;
}

}  // namespace

Experiment numbers_experiment(const Settings& settings) {
  const std::uint64_t count = count_for(settings);
  const auto integers = declare_sort<int>("integers", count, settings);
  const auto doubles = declare_sort<double>("doubles", count, settings);
  const std::uint64_t bytes = doubles.text->bytes;
  return {
      .id = "numbers",
      .title = "numbers as text, one a line, written and read",
      .groups =
          {writing_group(integers,
                         "A stream asks its locale for every number, and printf parses its format. "
                         "Rows with std::to_chars and with sluice put the digits into the "
                         "buffer that is written."),
           writing_group(
               doubles,
               "There are special algorithms for the shortest text that reads back as the same "
               "number. printf and streams write 17 digits, with long arithmetic. The doubles are "
               "uniform in [0, 1)."),
           reading_group(integers,
                         "A stream sends each digit through its locale. Rows that read lines look "
                         "at each byte twice: to find the line's end, and to parse the number. "
                         "next_number looks once."),
           reading_group(doubles, "17 digits have to be rounded correctly.")},
      .bytes = bytes,
      .scratch_bytes = scratch_bytes(integers, doubles),
      .memory_bytes = memory_bytes(count),
      .set_up =
          [integers, doubles] {
            make_text(integers);
            make_text(doubles);
          },
  };
}

}  // namespace sluice::bench
