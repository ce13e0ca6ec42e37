// Words of a text, taken out of a std::istream and out of memory.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace sluice::trace {

// What a program takes a word as.
enum class WordKind : std::uint8_t { text, integer, fraction, character };

struct Word {
  std::string text;
  WordKind kind = WordKind::text;
};

// The words between spaces, with the kinds of those that are numbers. The first and the last word
// are left out, because they may be cut.
std::vector<Word> words_of(const std::string& text);

// "3,4.5" as a program takes it that reads numbers, and the character between them by itself.
std::vector<Word> pieces_of(const std::vector<Word>& words);

// The words with a space behind each.
std::string joined(const std::vector<Word>& words);

// The sum of the numbers, of the lengths of the texts, and of the characters' codes: by operator>>,
// and by std::from_chars. `text`, or what the stream holds, is joined(words).
double sum_by_stream(std::istream& stream, const std::vector<Word>& words);
double sum_in_memory(const std::string& text, const std::vector<Word>& words);

}  // namespace sluice::trace
