#include "trace/costs/extraction_cost.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ext/stdio_sync_filebuf.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>
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

double by_buffer(const std::string& text, const std::vector<Word>& pieces) {
  std::istringstream stream(text);
  return sum_by_stream(stream, pieces);
}

// A file without a name, at its beginning.
class TextFile {
 public:
  explicit TextFile(const std::string& text) {
    const int descriptor = ::memfd_create("words", MFD_CLOEXEC);
    if (descriptor < 0) return;
    const bool is_written =
        ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (is_written) file_.reset(::fdopen(descriptor, "r"));
    if (file_ == nullptr) ::close(descriptor);
  }

  bool is_there() const { return file_ != nullptr; }

  std::FILE* again() const {
    std::rewind(file_.get());
    return file_.get();
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, std::fclose};
};

// As std::cin takes them before std::ios::sync_with_stdio(false). (A stream of fmemopen() takes its
// lock for each byte, and so is slower.)
double by_calls_of_c(const TextFile& file, const std::vector<Word>& pieces) {
  __gnu_cxx::stdio_sync_filebuf<char> without_buffer(file.again());
  std::istream stream(&without_buffer);
  return sum_by_stream(stream, pieces);
}

// For each byte of a file that has these pieces in so many bytes.
void include_cost_of(const std::vector<Word>& pieces, double bytes, ExtractionCost& cost) {
  const std::string text = joined(pieces);
  const TextFile file(text);
  const double buffer_s = least_time_s([&] { return by_buffer(text, pieces); });
  const double memory_s = least_time_s([&] { return sum_in_memory(text, pieces); });
  cost.beside_memory.include((buffer_s - memory_s) / bytes);
  if (!file.is_there()) cost.without_buffer.reset();
  if (!cost.without_buffer) return;
  const double calls_s = least_time_s([&] { return by_calls_of_c(file, pieces); });
  cost.without_buffer->include((calls_s - buffer_s) / bytes);
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
  ExtractionCost cost{CostRange::of_nothing(), CostRange::of_nothing()};
  include_cost_of(words, bytes, cost);
  include_cost_of(pieces_of(words), bytes, cost);
  for (Word& word : words) word.kind = WordKind::text;
  include_cost_of(words, bytes, cost);
  return cost;
}

}  // namespace sluice::trace
