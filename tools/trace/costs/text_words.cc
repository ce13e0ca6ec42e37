#include "trace/costs/text_words.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <sstream>
#include <string_view>

namespace sluice::trace {
namespace {

template <typename Number>
bool is_all_of(std::string_view word) {
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size();
}

// "nan" and "inf" are numbers for std::from_chars, and not for operator>>.
WordKind kind_of(std::string_view word) {
  if (word.find_first_of("0123456789") > 1) return WordKind::text;
  if (is_all_of<long>(word)) return WordKind::integer;
  return is_all_of<double>(word) ? WordKind::fraction : WordKind::text;
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

}  // namespace

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

std::vector<Word> pieces_of(const std::vector<Word>& words) {
  constexpr std::string_view between = ",;:/=|";
  std::vector<Word> pieces;
  for (const Word& word : words) {
    std::size_t at = 0;
    while (at < word.text.size()) {
      const std::size_t end = std::min(word.text.find_first_of(between, at), word.text.size());
      if (end > at) {
        const std::string part = word.text.substr(at, end - at);
        pieces.push_back({part, kind_of(part)});
      }
      if (end < word.text.size()) pieces.push_back({word.text.substr(end, 1), WordKind::character});
      at = end + 1;
    }
  }
  return pieces;
}

std::string joined(const std::vector<Word>& words) {
  std::string text;
  for (const Word& word : words) text.append(word.text).push_back(' ');
  return text;
}

double sum_by_stream(std::istream& stream, const std::vector<Word>& words) {
  std::string found;
  double sum = 0;
  for (const Word& word : words) {
    if (word.kind == WordKind::integer) {
      sum += next_number<long>(stream);
    } else if (word.kind == WordKind::fraction) {
      sum += next_number<double>(stream);
    } else if (word.kind == WordKind::character) {
      sum += next_number<char>(stream);
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
    if (word.kind == WordKind::integer) {
      sum += number_in<long>(part);
    } else if (word.kind == WordKind::fraction) {
      sum += number_in<double>(part);
    } else if (word.kind == WordKind::character) {
      sum += static_cast<double>(part.front());
    } else {
      found.assign(part);
      sum += static_cast<double>(found.size());
    }
  }
  return sum;
}

}  // namespace sluice::trace
