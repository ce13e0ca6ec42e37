#include "trace/costs/extraction_cost.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>
#include <vector>

namespace sluice::trace {
namespace {

// What a program takes a word as.
enum class Kind : char { text, integer, fraction };

struct Word {
  std::string text;
  Kind kind = Kind::text;
};

constexpr std::size_t least_words = 100;

// Nothing if the file cannot be read.
std::string middle_of(const std::string& path) {
  constexpr std::streamoff sample_bytes = 65536;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file.tellg();
  if (!file || size <= 0) return "";
  const std::streamoff bytes = std::min(sample_bytes, size);
  std::string text(static_cast<std::size_t>(bytes), '\0');
  file.seekg((size - bytes) / 2);
  file.read(text.data(), bytes);
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return text;
}

template <typename Number>
bool is_all_of(std::string_view word) {
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size();
}

// "nan" and "inf" are numbers for std::from_chars, and not for operator>>.
Kind kind_of(std::string_view word) {
  if (word.find_first_of("0123456789") > 1) return Kind::text;
  if (is_all_of<long>(word)) return Kind::integer;
  return is_all_of<double>(word) ? Kind::fraction : Kind::text;
}

// The first and the last word may be cut.
std::vector<Word> words_of(const std::string& text) {
  std::vector<Word> words;
  std::istringstream stream(text);
  std::string word;
  while (stream >> word) words.push_back({word, kind_of(word)});
  if (words.size() < 3) return {};
  words.pop_back();
  words.erase(words.begin());
  return words;
}

std::string joined(const std::vector<Word>& words) {
  std::string text;
  for (const Word& word : words) text.append(word.text).push_back(' ');
  return text;
}

template <typename Number>
double number_in(std::string_view word) {
  Number number{};
  std::from_chars(word.data(), word.data() + word.size(), number);
  return static_cast<double>(number);
}

template <typename Number>
double next_number(std::istream& stream) {
  Number number{};
  stream >> number;
  return static_cast<double>(number);
}

double sum_by_stream(const std::string& text, const std::vector<Word>& words) {
  std::istringstream stream(text);
  std::string found;
  double sum = 0;
  for (const Word& word : words) {
    if (word.kind == Kind::integer) {
      sum += next_number<long>(stream);
    } else if (word.kind == Kind::fraction) {
      sum += next_number<double>(stream);
    } else {
      stream >> found;
      sum += static_cast<double>(found.size());
    }
  }
  return sum;
}

double sum_in_memory(const std::string& text, const std::vector<Word>& words) {
  std::string found;
  double sum = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (const Word& word : words) {
    const auto* const space =
        static_cast<const char*>(std::memchr(at, ' ', static_cast<std::size_t>(end - at)));
    const std::string_view part(at, static_cast<std::size_t>(space - at));
    at = space + 1;
    if (word.kind == Kind::integer) {
      sum += number_in<long>(part);
    } else if (word.kind == Kind::fraction) {
      sum += number_in<double>(part);
    } else {
      found.assign(part);
      sum += static_cast<double>(found.size());
    }
  }
  return sum;
}

template <typename Sum>
double least_s(const Sum& sum) {
  using Clock = std::chrono::steady_clock;
  constexpr int attempts = 3;
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < attempts; ++i) {
    const Clock::time_point start = Clock::now();
    volatile const double used = sum();
    static_cast<void>(used);
    least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return least;
}

double cost_s(const std::string& text, const std::vector<Word>& words) {
  const double stream_s = least_s([&] { return sum_by_stream(text, words); });
  const double memory_s = least_s([&] { return sum_in_memory(text, words); });
  return std::max(0.0, stream_s - memory_s) / static_cast<double>(text.size());
}

}  // namespace

std::optional<ExtractionCost> measured_extraction_cost(const std::string& path) {
  const std::string sample = middle_of(path);
  if (sample.find('\0') != std::string::npos) return std::nullopt;
  std::vector<Word> words = words_of(sample);
  if (words.size() < least_words) return std::nullopt;
  const std::string text = joined(words);
  const double as_numbers_s = cost_s(text, words);
  for (Word& word : words) word.kind = Kind::text;
  return ExtractionCost{.as_words_s = cost_s(text, words), .as_numbers_s = as_numbers_s};
}

}  // namespace sluice::trace
