// Takes the fingerprint of a text by winnowing, to find copies of its parts elsewhere. It reads the
// text by iterators.
#include <cstdint>
#include <deque>
#include <iostream>
#include <iterator>
#include <string>

std::string ReadText(std::istream& in) {
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

struct Mark {
  std::size_t position;
  std::uint64_t hash;
};

constexpr std::size_t kGram = 24;     // characters that are hashed together
constexpr std::size_t kWindow = 100;  // hashes, of which the least is kept
constexpr std::uint64_t kBase = 0x100000001b3;

int main() {
  const std::string text = ReadText(std::cin);
  std::uint64_t hash = 0, leaving = 1, digest = 0;
  for (std::size_t i = 0; i < kGram; ++i) leaving *= kBase;
  std::deque<Mark> least;  // the hashes grow from the front to the back
  std::size_t marks = 0, last = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    hash = hash * kBase + static_cast<unsigned char>(text[i]);
    if (i >= kGram) hash -= leaving * static_cast<unsigned char>(text[i - kGram]);
    std::uint64_t mixed = (hash ^ hash >> 31) * 0x9e3779b97f4a7c15;
    while (!least.empty() && least.back().hash >= mixed) least.pop_back();
    least.push_back({i, mixed});
    if (least.front().position + kWindow <= i) least.pop_front();
    if (i < kWindow || least.front().position == last) continue;
    last = least.front().position;
    digest = digest * 31 + least.front().hash;
    if (++marks % 1000 == 0) std::cout << last << ' ' << std::hex << digest << std::dec << '\n';
  }
  std::cout << marks << ' ' << text.size() << '\n';
}
