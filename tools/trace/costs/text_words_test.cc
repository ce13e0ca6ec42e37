#include "trace/costs/text_words.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace sluice::trace {
namespace {

std::vector<WordKind> kinds_of(const std::vector<Word>& words) {
  std::vector<WordKind> kinds;
  for (const Word& word : words) kinds.push_back(word.kind);
  return kinds;
}

TEST(TextWords, HaveTheKindsThatAProgramMayTakeThemAs) {
  using enum WordKind;
  const std::vector<Word> words = words_of("cut word 12 -3 4.5 .5 1e3 nan inf 3,4.5 x7 1e999 cut");
  EXPECT_EQ(kinds_of(words), (std::vector{text, integer, integer, fraction, fraction, fraction,
                                          text, text, text, text, text}));
  EXPECT_EQ(words.front().text, "word");
  EXPECT_TRUE(words_of("one two").empty());
}

TEST(TextWords, AreTakenApartAtTheCharactersBetweenNumbers) {
  using enum WordKind;
  const std::vector<Word> pieces = pieces_of({{"3,4.5;", text}, {"word", text}});
  EXPECT_EQ(kinds_of(pieces), (std::vector{integer, character, fraction, character, text}));
  EXPECT_EQ(joined(pieces), "3 , 4.5 ; word ");
}

// A stream that could not read one of them would read nothing more.
TEST(TextWords, GiveTheSameSumByAStreamAndInMemory) {
  const std::vector<Word> words =
      words_of("cut word 12 4.5 nan 1e999 3,4.5 -7 99999999999999999999 cut");
  for (const std::vector<Word>& each : {words, pieces_of(words)}) {
    const double sum = sum_in_memory(joined(each), each);
    EXPECT_TRUE(std::isfinite(sum));
    std::istringstream stream(joined(each));
    EXPECT_EQ(sum_by_stream(stream, each), sum);
    EXPECT_GT(sum, 12);
  }
}

}  // namespace
}  // namespace sluice::trace
