#include "trace/costs/extraction_cost.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include "trace/costs/text_words.h"

namespace sluice::trace {
namespace {

constexpr std::size_t least_words = 100;

// Nothing if it is no regular file that can be read.
std::string middle_of(const std::string& path) {
  constexpr off_t sample_bytes = 65536;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // no wait for a FIFO
  if (file < 0) return "";
  struct stat status {};
  std::string text;
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    const off_t bytes = std::min<off_t>(sample_bytes, status.st_size);
    text.resize(static_cast<std::size_t>(bytes));
    const ssize_t got = ::pread(file, text.data(), text.size(), (status.st_size - bytes) / 2);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  }
  ::close(file);
  return text;
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

// For each byte of a file that has these pieces in so many bytes.
double cost_s(const std::vector<Word>& pieces, double bytes) {
  const std::string text = joined(pieces);
  const double stream_s = least_s([&] { return sum_by_stream(text, pieces); });
  const double memory_s = least_s([&] { return sum_in_memory(text, pieces); });
  return std::max(0.0, stream_s - memory_s) / bytes;
}

}  // namespace

std::optional<ExtractionCost> measured_extraction_cost(const std::string& path) {
  constexpr double most_word_bytes = 20;  // longer ones may be taken character by character
  const std::string sample = middle_of(path);
  if (sample.find('\0') != std::string::npos) return std::nullopt;
  std::vector<Word> words = words_of(sample);
  const auto bytes = static_cast<double>(joined(words).size());
  if (words.size() < least_words || bytes > most_word_bytes * static_cast<double>(words.size()))
    return std::nullopt;
  const double as_numbers_s = cost_s(words, bytes);
  const double as_pieces_s = cost_s(pieces_of(words), bytes);
  for (Word& word : words) word.kind = WordKind::text;
  const double as_words_s = cost_s(words, bytes);
  return ExtractionCost{std::min({as_words_s, as_numbers_s, as_pieces_s}),
                        std::max({as_words_s, as_numbers_s, as_pieces_s})};
}

}  // namespace sluice::trace
