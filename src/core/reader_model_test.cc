// Random sequences of all calls of a Reader, on scripted Sources and on files, compared with a
// string and a position in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "sluice/reader.h"
#include "sluice/sources.h"
#include "testing/faulty_source.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

// Letters, with some commas, newlines, numbers and beginnings of numbers.
std::string text_of(std::mt19937& random, std::size_t bytes) {
  constexpr std::string_view pieces[] = {
      "\n",  "\n",  " \t\n", ",",        "0",        "-1",       "12345678", "99999999999999999999",
      "1.5", "e+5", "1e400", "infinity", "-nan(ab)", "nan(abcd", "-",        "1e-"};
  std::string text;
  while (text.size() < bytes) {
    if (random() % 4 == 0) {
      text += pieces[random() % std::size(pieces)];
    } else {
      text += static_cast<char>('a' + random() % 26);
    }
  }
  return text;
}

// Gives a Reader the bytes of `script`, whose other members say what this Source can do.
void open_script(std::mt19937& random, const std::shared_ptr<SourceScript>& script,
                 Reader& reader) {
  script->bytes = text_of(random, random() % 3'000);
  script->has_positions = random() % 3 != 0;
  script->reads_anywhere = script->has_positions && random() % 2 == 0;
  script->reads_in_background = script->reads_anywhere && random() % 2 == 0;
  script->max_bytes_in_background = random() % 2 == 0 ? SIZE_MAX : random() % 50;
  script->max_bytes_per_read = random() % 2 == 0 ? SIZE_MAX : 1 + random() % 50;
  script->bypass_bytes = random() % 2 == 0 ? SIZE_MAX : 1 + random() % 200;
  // The reported size is too small, right, too large, or unknown.
  const std::size_t size = script->bytes.size();
  const std::uint64_t sizes[] = {size / 2, size, size + 100, UINT64_MAX};
  script->size = sizes[random() % 4];
  const std::size_t block_bytes = 1 + random() % 200;
  EXPECT_TRUE(
      reader.open(std::make_unique<FaultySource>(script), {.block_bytes = block_bytes}).ok());
}

// Gives a Reader the bytes of a regular file, by name or inside another Source.
void open_file(std::mt19937& random, const std::string& path,
               const std::shared_ptr<SourceScript>& script, Reader& reader, bool is_direct) {
  script->bytes = text_of(random, random() % (random() % 4 == 0 ? 300 : 20'000));
  script->has_positions = true;
  script->size = script->bytes.size();
  make_file(path, script->bytes);
  constexpr std::size_t sizes[] = {1, 63, 64, 100, 511, 512, 1'000, 4'096, 5'000, 65'536};
  ReaderOptions options{.block_bytes = sizes[random() % std::size(sizes)]};
  if (is_direct) {
    options.block_bytes = (1 + random() % 3) * 4'096;
    options.direct = Direct::if_possible;
  } else if (random() % 8 == 0) {
    options.cache = Cache::drop;
  }
  if (random() % 4 != 0) {
    EXPECT_TRUE(reader.open(path, options).ok());
    return;
  }
  std::unique_ptr<Source> source;
  EXPECT_TRUE(open_file_source(path, options, source).ok());
  EXPECT_TRUE(reader.open(make_limiting_source(std::move(source), 1'000'000), options).ok());
}

class ReaderAndModel {
 public:
  explicit ReaderAndModel(unsigned seed) : random_(seed) { open_script(random_, script_, reader_); }
  ReaderAndModel(unsigned seed, const std::string& path, bool is_direct = false)
      : random_(seed), farthest_(4'500) {
    open_file(random_, path, script_, reader_, is_direct);
  }

  void run(int calls) {
    for (int i = 0; i < calls && !::testing::Test::HasFailure(); ++i) {
      step(random_() % 17);
      ASSERT_EQ(reader_.position(), at_);
      ASSERT_TRUE(reader_.status().ok()) << reader_.status().message();
      ASSERT_FALSE(script_->out_of_turn);
    }
    EXPECT_TRUE(reader_.close().ok());
  }

 private:
  void step(std::uint64_t call) {
    switch (call) {
      case 0: return get();
      case 1: return read();
      case 2: return peek();
      case 3: return skip();
      case 4: return seek(random_() % (script_->bytes.size() + 10));
      case 5: return seek_from_here(any_size());
      case 6: return read_value();
      case 7: return until(',');
      case 8: return line();
      case 9: return size();
      case 10: return rest();
      case 11: return number<int>();
      case 12: return number<std::uint64_t>();
      case 13: return number<double>();
      case 14: return number<long double>();
      case 15: return seek_from_here(random_() % farthest_);
      case 16: return seek_from_here(random_() % 20);
    }
  }

  std::uint64_t any_size() { return random_() % 4 == 0 ? random_() % 1'000 : random_() % 20; }

  std::string_view left() const {
    return std::string_view(script_->bytes).substr(std::min(at_, script_->bytes.size()));
  }

  void get() {
    const std::string_view expected = left();
    const int byte = reader_.get();
    ASSERT_EQ(byte, expected.empty() ? Reader::end : static_cast<int>(expected[0]));
    if (byte != Reader::end) ++at_;
  }

  void read() {
    std::string into(any_size(), '\0');
    const std::string_view expected = left().substr(0, into.size());
    into.resize(reader_.read(into.data(), into.size()));
    ASSERT_EQ(into, expected);
    at_ += into.size();
  }

  void peek() {
    const std::size_t bytes = any_size();
    const BytesView seen = reader_.peek(bytes);
    const std::string_view text(reinterpret_cast<const char*>(seen.data()), seen.size());
    ASSERT_TRUE(left().starts_with(text));
    ASSERT_GE(text.size(), std::min(bytes, left().size()));
  }

  void skip() {
    const std::uint64_t bytes = any_size();
    const std::uint64_t expected = std::min<std::uint64_t>(bytes, left().size());
    ASSERT_EQ(reader_.skip(bytes), expected);
    at_ += expected;
  }

  // Without positions the Reader can seek only inside its block.
  void seek(std::uint64_t position) {
    const Status status = reader_.seek(position);
    if (status.ok()) {
      at_ = position;
      return;
    }
    ASSERT_FALSE(script_->has_positions);
    ASSERT_EQ(status.message(), "seek (script) at byte " + std::to_string(position) +
                                    ": it has no positions, like a pipe, a terminal, a socket or a "
                                    "file that is appended to");
  }

  void seek_from_here(std::uint64_t bytes) {
    seek(random_() % 2 == 0 ? at_ + bytes : at_ - std::min(at_, bytes));
  }

  void read_value() {
    std::array<char, 3> value;
    if (left().size() % 3 != 0 && left().size() < 3) return;  // a partial value would be a failure
    const std::string expected(left().substr(0, 3));
    ASSERT_EQ(reader_.read_value(value_), expected.size() == 3);
    if (expected.size() != 3) return;
    std::memcpy(value.data(), &value_, 3);
    ASSERT_EQ(std::string_view(value.data(), 3), expected);
    at_ += 3;
  }

  void expect_part(bool found, std::string_view part, char delimiter) {
    const std::size_t length = left().find(delimiter);
    ASSERT_EQ(found, !left().empty());
    if (!found) return;
    ASSERT_EQ(part, left().substr(0, length));
    at_ += length == std::string_view::npos ? left().size() : length + 1;
  }

  void until(char delimiter) {
    std::string_view part;
    const bool found = reader_.read_until(delimiter, part);
    expect_part(found, part, delimiter);
  }

  void line() {
    std::string_view line;
    const bool found = reader_.next_line(line);
    expect_part(found, line, '\n');
  }

  void size() {
    std::uint64_t bytes = 0;
    const bool known = script_->size != UINT64_MAX;
    ASSERT_EQ(reader_.size(bytes).code().value(), known ? 0 : ESPIPE);
    if (known) {
      ASSERT_EQ(bytes, script_->size);
    }
  }

  // Called seldom, because no bytes are left afterwards.
  void rest() {
    if (random_() % 8 != 0) return;
    const std::string expected(left());
    std::string out = "what was there";
    ASSERT_TRUE(reader_.read_rest(out).ok());
    ASSERT_EQ(out, expected);
    at_ += expected.size();
  }

  // The model is std::from_chars, applied to all remaining bytes.
  template <typename T>
  void number() {
    constexpr std::string_view whitespace = " \t\n\v\f\r";
    at_ += std::min(left().find_first_not_of(whitespace), left().size());
    const std::string_view text = left();
    T expected = 7;
    T value = 7;
    const std::string copy(text);  // libstdc++ 12 looks for a NUL after a long double's nan
    const auto parsed = std::from_chars(copy.data(), copy.data() + copy.size(), expected);
    const bool found = reader_.next_number(value);
    ASSERT_EQ(found, parsed.ec == std::errc()) << text.substr(0, 30);
    ASSERT_EQ(std::to_string(value), std::to_string(expected)) << text.substr(0, 30);
    if (found) at_ += static_cast<std::uint64_t>(parsed.ptr - copy.data());
    if (found || text.empty()) return;
    const int code = parsed.ec == std::errc::result_out_of_range ? ERANGE : EBADMSG;
    ASSERT_EQ(reader_.status().code().value(), code);
    ASSERT_EQ(reader_.status().offset(), at_);
    ASSERT_EQ(reader_.position(), at_);
    ASSERT_EQ(reader_.get(), Reader::end) << "every call finds the failure";
    std::string_view bad;
    ASSERT_TRUE(reader_.skip_bad_number(bad));
    ASSERT_EQ(bad, text.substr(0, text.find_first_of(whitespace)));
    at_ += bad.size();
  }

  struct Value {
    char bytes[3];
  };

  std::mt19937 random_;
  const std::uint64_t farthest_ = 300;  // of the seeks from the present position
  const std::shared_ptr<SourceScript> script_ = std::make_shared<SourceScript>();
  Reader reader_;
  Value value_;
  std::uint64_t at_ = 0;
};

TEST(ReaderModel, EveryCallGivesTheBytesOfTheModel) {
  for (unsigned seed = 0; seed < 3'000; ++seed) {
    SCOPED_TRACE(seed);
    ReaderAndModel(seed).run(100);
    if (::testing::Test::HasFailure()) return;
  }
}

// Near seeks, and values after far ones, are read in ways of their own.
TEST(ReaderModel, EveryCallOnAFileGivesTheBytesOfTheModel) {
  const ScratchDirectory directory;
  for (unsigned seed = 0; seed < 5'000; ++seed) {
    SCOPED_TRACE(seed);
    ReaderAndModel(seed, directory.file("in")).run(100);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(ReaderModel, EveryCallOnAFileThatIsReadDirectlyGivesTheBytesOfTheModel) {
  const ScratchDirectory directory = ScratchDirectory::likely_on_disk();
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    ReaderAndModel(seed, directory.file("in"), true).run(100);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace sluice::testing
