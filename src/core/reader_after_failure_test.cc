// After each kind of failure every call of a Reader gives nothing, wherever the block ends. There
// is one exception: after a failure to fetch bytes, get, read, peek and skip still give the bytes
// that were fetched before the failure.
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "sluice/copy.h"
#include "sluice/reader.h"
#include "testing/faulty_source.h"

namespace sluice::testing {
namespace {

struct Large {
  std::array<char, 1000> bytes;
};

struct Kind {
  const char* name;
  int code;
  void (*fail)(Reader& reader);
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::string name_of(const ::testing::TestParamInfo<Kind>& info) { return info.param.name; }

std::string_view part;
int number;

const Kind of_fetching[] = {
    {"FetchForPeek", EIO, [](Reader& reader) { reader.peek(1000); }},
    {"FetchForALine", EIO, [](Reader& reader) { reader.next_line(part); }},
    {"FetchForAPart", EIO, [](Reader& reader) { reader.read_until('x', part); }},
    {"FetchForARecord", EIO, [](Reader& reader) { reader.records<Large>().begin(); }},
};
const Kind of_content[] = {
    {"LongPart", EMSGSIZE, [](Reader& reader) { reader.read_until('x', part); }},
    {"LongLine", EMSGSIZE, [](Reader& reader) { reader.next_line(part); }},
    {"PartialRecord", EBADMSG, [](Reader& reader) { reader.records<Large>().begin(); }},
    {"BadNumber", EBADMSG,
     [](Reader& reader) { reader.skip(1), static_cast<void>(reader.next_number(number, 2)); }},
    {"Base", EINVAL, [](Reader& reader) { reader.peek(1), reader.next_number(number, 37); }},
};

// A text whose lines, numbers and values are all in the block when the failure comes.
class ReaderAfterAFailure : public ::testing::TestWithParam<Kind> {
 protected:
  // The numbers from 60 on are no binary numbers.
  static std::string text() {
    std::string text = " ";
    for (int i = 60; i < 100; ++i) text += std::to_string(i) + " ";
    return text;
  }

  void SetUp() override {
    script_->bytes = text();
    if (GetParam().code == EIO) script_->fail_at = script_->bytes.size();
    ReaderOptions options;
    if (GetParam().code == EMSGSIZE) options.max_line_bytes = 20;
    ASSERT_TRUE(reader_.open(std::make_unique<FaultySource>(script_), options).ok());
    GetParam().fail(reader_);
    ASSERT_EQ(reader_.status().code().value(), GetParam().code) << reader_.status().message();
    position_ = reader_.position();
    ASSERT_LT(position_, 2u) << "the text is in the block";
  }

  void TearDown() override {
    EXPECT_EQ(reader_.status().code().value(), GetParam().code);
    EXPECT_EQ(reader_.close().code().value(), GetParam().code);
  }

  template <typename T>
  void expect_no_number() {
    T value = 7;
    EXPECT_FALSE(reader_.next_number(value));
    EXPECT_EQ(value, T{7});
  }

  template <typename T>
  void expect_no_value() {
    T value;
    std::array<T, 2> values;
    EXPECT_FALSE(reader_.read_value(value));
    EXPECT_EQ(reader_.read_values(values), 0u);
    for (const auto records : reader_.records<T>()) ADD_FAILURE() << records.size() << " records";
  }

  void expect_no_text() {
    EXPECT_FALSE(reader_.next_line(part));
    EXPECT_FALSE(reader_.read_until(' ', part));
    for (const std::string_view line : reader_.lines()) ADD_FAILURE() << line;
    std::string rest = "old";
    EXPECT_FALSE(reader_.read_rest(rest).ok());
    EXPECT_EQ(rest, "");
  }

  void expect_no_copy() {
    std::string copied;
    Writer writer;
    ASSERT_TRUE(writer.open(make_memory_sink(copied)).ok());
    EXPECT_EQ(copy(reader_, writer).code().value(), GetParam().code);
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(copied, "");
  }

  void expect_nothing_but_bytes() {
    expect_no_number<int>();
    expect_no_number<std::uint64_t>();
    expect_no_number<double>();
    expect_no_number<long double>();
    EXPECT_FALSE(reader_.next_number(number, 16));
    expect_no_value<char>();
    expect_no_value<std::uint64_t>();
    expect_no_text();
    expect_no_copy();
    EXPECT_EQ(reader_.seek(0).code().value(), GetParam().code);
    EXPECT_EQ(reader_.position(), position_);
  }

  const std::shared_ptr<SourceScript> script_ = std::make_shared<SourceScript>();
  Reader reader_;
  std::uint64_t position_ = 0;
};

using ReaderAfterAFailureOfContent = ReaderAfterAFailure;

TEST_P(ReaderAfterAFailureOfContent, GivesNothing) {
  std::array<std::byte, 4> bytes;
  EXPECT_EQ(reader_.get(), Reader::end);
  EXPECT_EQ(reader_.read(bytes), 0u);
  EXPECT_TRUE(reader_.peek(1).empty());
  EXPECT_EQ(reader_.skip(1), 0u);
  expect_nothing_but_bytes();
}

INSTANTIATE_TEST_SUITE_P(Reader, ReaderAfterAFailureOfContent, ::testing::ValuesIn(of_content),
                         name_of);

using ReaderAfterAFailureToFetch = ReaderAfterAFailure;

TEST_P(ReaderAfterAFailureToFetch, GivesTheBytesBeforeItByFourCallsAlone) {
  expect_nothing_but_bytes();
  const std::string all = text();
  EXPECT_EQ(reader_.get(), ' ');
  EXPECT_EQ(reader_.position(), ++position_);
  expect_nothing_but_bytes();
  std::string bytes(30, '\0');
  EXPECT_EQ(reader_.read(bytes.data(), bytes.size()), bytes.size());
  EXPECT_EQ(bytes, all.substr(1, 30));
  position_ += 30;
  expect_nothing_but_bytes();
  const BytesView seen = reader_.peek(1);
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(seen.data()), seen.size()),
            std::string_view(all).substr(31));
  EXPECT_EQ(reader_.skip(40), 40u);
  position_ += 40;
  expect_nothing_but_bytes();
  EXPECT_EQ(reader_.read(bytes.data(), 10), 10u);
  EXPECT_EQ(bytes.substr(0, 10), all.substr(71, 10));
  EXPECT_EQ(reader_.skip(1000), all.size() - 81);
  EXPECT_EQ(reader_.position(), all.size());
  EXPECT_EQ(reader_.get(), Reader::end);
  EXPECT_TRUE(reader_.peek(1).empty());
  EXPECT_EQ(reader_.read(bytes.data(), 1), 0u);
}

INSTANTIATE_TEST_SUITE_P(Reader, ReaderAfterAFailureToFetch, ::testing::ValuesIn(of_fetching),
                         name_of);

}  // namespace
}  // namespace sluice::testing
