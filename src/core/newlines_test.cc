// All implementations of the search for newlines find the same newlines.
#include "core/newlines.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace sluice::testing {
namespace {

std::vector<std::uint32_t> found_by(FindNewlines find, const std::string& text) {
  constexpr std::uint32_t canary = 0xdeadbeef;
  std::vector<std::uint32_t> positions(text.size() + newline_slack + 1, canary);
  const std::size_t count =
      find(reinterpret_cast<const std::byte*>(text.data()), text.size(), positions.data());
  EXPECT_EQ(positions.back(), canary) << "wrote beyond the slack";
  positions.resize(count);
  return positions;
}

void expect_all_found(const std::string& text) {
  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') expected.push_back(i);
  }
  for (const FindNewlines find : ways_to_find_newlines()) {
    ASSERT_EQ(found_by(find, text), expected) << text.size() << " bytes";
  }
}

TEST(Newlines, AreFoundAtEveryPlaceOfEveryLength) {
  for (std::size_t bytes = 0; bytes <= 260; ++bytes) {
    expect_all_found(std::string(bytes, 'x'));
    expect_all_found(std::string(bytes, '\n'));
    for (std::size_t place = 0; place < bytes; ++place) {
      std::string text(bytes, 'x');
      text[place] = '\n';
      expect_all_found(text);
    }
    if (HasFatalFailure()) return;
  }
}

TEST(Newlines, AreFoundInEveryNumberPerStep) {
  for (std::size_t count = 0; count <= 64; ++count) {
    std::string text(192, 'x');
    for (std::size_t i = 0; i < count; ++i) text[64 + i * 64 / count] = '\n';
    expect_all_found(text);
  }
}

TEST(Newlines, AreSeparatedFromEveryOtherByte) {
  std::string text;
  for (int i = 0; i < 256; ++i) text += static_cast<char>(i);
  expect_all_found(text + text);
}

TEST(Newlines, AreFoundAtEveryAlignmentInRandomText) {
  std::mt19937_64 random(1);
  std::string all(16'384 + 64, 'x');
  for (const unsigned one_in : {2u, 3u, 8u, 20u, 100u, 10'000u}) {
    for (char& byte : all) byte = random() % one_in == 0 ? '\n' : 'x';
    for (std::size_t shift = 0; shift < 64; ++shift) expect_all_found(all.substr(shift, 16'384));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace sluice::testing
