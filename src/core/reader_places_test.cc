// The places in memory to which a Reader reads, and the sizes of its reads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/memory.h"
#include "sluice/reader.h"

namespace sluice::testing {
namespace {

// Gives the same bytes again and again, `bytes_per_read` at a time. Notes the places in memory.
class PlacesSource final : public Source {
 public:
  struct Notes {
    std::size_t moves = 0;  // reads that do not follow the read before in memory
    std::vector<std::size_t> asked;
  };
  PlacesSource(std::string bytes, std::size_t first_bytes, std::size_t bytes_per_read,
               std::shared_ptr<Notes> notes)
      : bytes_(std::move(bytes)),
        first_bytes_(first_bytes),
        bytes_per_read_(bytes_per_read),
        notes_(std::move(notes)) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    const std::size_t most = position < first_bytes_ ? SIZE_MAX : bytes_per_read_;
    got = std::min({into.size(), bytes_.size() - static_cast<std::size_t>(position), most});
    if (into.data() != end_) ++notes_->moves;
    end_ = into.data() + got;
    notes_->asked.push_back(into.size());
    if (got > 0) std::memcpy(into.data(), bytes_.data() + position, got);
    return {};
  }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_ = "(places)";
  const std::string bytes_;
  const std::size_t first_bytes_;
  const std::size_t bytes_per_read_;
  const std::shared_ptr<Notes> notes_;
  const std::byte* end_ = nullptr;
};

TEST(ReaderPlaces, MovesFewBytesOfALineInABlockThatALongerLineHasMadeLarge) {
  constexpr std::size_t long_line = 8 << 20;
  constexpr std::size_t short_line = 1'000'000;
  const std::string text =
      std::string(long_line - 1, 'x') + '\n' + std::string(short_line - 1, 'y') + '\n';
  const auto notes = std::make_shared<PlacesSource::Notes>();
  Reader reader;
  ASSERT_TRUE(reader.open(std::make_unique<PlacesSource>(text, long_line, 1'460, notes)).ok());
  std::string_view line;
  ASSERT_TRUE(reader.next_line(line));
  notes->moves = 0;
  ASSERT_TRUE(reader.next_line(line));
  EXPECT_EQ(line.size(), short_line - 1);
  EXPECT_LT(notes->moves, 100u) << "of 685 reads";
}

TEST(ReaderPlaces, FillsTheRoomOfAStringOnce) {
  const std::string text(100'000, 'x');
  const auto notes = std::make_shared<PlacesSource::Notes>();
  Reader reader;
  ASSERT_TRUE(reader.open(std::make_unique<PlacesSource>(text, 0, 1'000, notes)).ok());
  std::string rest;
  ASSERT_TRUE(reader.read_rest(rest).ok());
  EXPECT_EQ(rest, text);
  ASSERT_GE(notes->asked.size(), 3u);  // the first read fills the room of an empty string
  EXPECT_EQ(notes->asked[2], notes->asked[1] - 1'000) << "the room that is left";
}

// Lines of 60 bytes, without an end. Counts the large reads that do not begin at the beginning of a
// page, in memory and in the source.
class LinesOf60Bytes final : public Source {
 public:
  explicit LinesOf60Bytes(std::shared_ptr<std::size_t> badly_placed)
      : badly_placed_(std::move(badly_placed)) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    // The third read is short, as the read of a socket may be. It makes the next read begin
    // anywhere.
    constexpr std::size_t short_read = 3;
    ++reads_;
    const bool is_placed = position % os::page_bytes == 0 &&
                           reinterpret_cast<std::uintptr_t>(into.data()) % os::page_bytes == 0;
    if (!is_placed && into.size() > 128 * 1024 && reads_ > short_read + 1) ++*badly_placed_;
    got = reads_ == short_read ? 20'011 : into.size();
    for (std::size_t i = 0; i < got; ++i)
      into[i] = (position + i) % 60 == 59 ? std::byte{'\n'} : std::byte{'x'};
    return {};
  }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_ = "(lines)";
  std::shared_ptr<std::size_t> badly_placed_;
  std::size_t reads_ = 0;
};

TEST(ReaderPlaces, ReadsWholePagesIntoWholePages) {
  const auto badly_placed = std::make_shared<std::size_t>(0);
  Reader reader;
  ASSERT_TRUE(reader.open(std::make_unique<LinesOf60Bytes>(badly_placed)).ok());
  std::string_view line;
  for (int i = 0; i < 200'000; ++i) {
    ASSERT_TRUE(reader.next_line(line));
    ASSERT_EQ(line.size(), 59u);
  }
  EXPECT_EQ(*badly_placed, 0u);
}

}  // namespace
}  // namespace sluice::testing
