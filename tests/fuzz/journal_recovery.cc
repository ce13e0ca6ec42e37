// Whatever bytes a file has: a Journal and a JournalReader find in it what the format says, and
// nothing else.
#include <cerrno>
#include <string>
#include <vector>

#include "input.h"
#include "journal_file.h"
#include "sluice/journal.h"
#include "testing/scratch_directory.h"

namespace sluice::fuzz {
namespace {

constexpr JournalOptions options{.framing = Framing::length_crc32c, .buffer_bytes = 64};

std::string text_of(ConstBytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Bytes as they are, or records of the input's making that are damaged in places.
std::string make_contents(Input& input) {
  if (input.below(2) == 0) return std::string(input.rest());
  std::string contents(header);
  for (std::size_t records = input.below(6); records > 0; --records) {
    contents += framed(input.take(input.below(300)));
  }
  for (std::size_t damages = input.below(4); damages > 0; --damages) {
    const std::size_t at = input.below(contents.size() + 1);
    switch (input.below(4)) {
      case 0: contents.resize(at); break;
      case 1: contents.insert(at, input.take(input.below(20))); break;
      case 2: contents.append(input.below(600), '\0'); break;
      default:
        if (at < contents.size()) contents[at] = static_cast<char>(input.below(256));
    }
  }
  return contents;
}

void expect_read(const std::string& path, const Found& expected) {
  JournalReader reader;
  const Status opened = reader.open(path);
  require(opened.ok() == !expected.refused, "another framing is refused, and nothing else");
  if (!opened.ok()) return;
  std::vector<std::string> records;
  for (ConstBytes record; reader.next(record);) records.push_back(text_of(record));
  require(reader.status().ok(), "damage is the end, not a failure");
  require(records == expected.records, "the reader gives the whole records");
  require(reader.position() == expected.whole_bytes, "the reader stands behind them");
}

void expect_opened(const std::string& path, const std::string& contents, const Found& expected) {
  Journal journal;
  Recovered recovered;
  const Status opened = journal.open(path, options, &recovered);
  require(opened.ok() == !expected.refused, "another framing is refused, and nothing else");
  if (!opened.ok()) {
    require(opened.code().value() == EINVAL, "it is refused as such");
    require(testing::contents_of(path) == contents, "what is refused is left as it is");
    return;
  }
  require(recovered.records == expected.records.size(), "the whole records are recovered");
  require(recovered.whole_bytes == expected.whole_bytes, "all their bytes are kept");
  require(recovered.torn_bytes == contents.size() - expected.whole_bytes, "the rest is cut off");
  Journal::Ticket ticket = 0;
  require(journal.append("one more", ticket).ok() && journal.close().ok(), "it goes on");
  Found after = expected;
  after.records.emplace_back("one more");
  const std::string kept =
      expected.whole_bytes == 0 ? std::string(header) : contents.substr(0, expected.whole_bytes);
  require(testing::contents_of(path) == kept + framed("one more"), "it goes on behind them");
  after.whole_bytes = kept.size() + framed("one more").size();
  expect_read(path, after);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  static const testing::ScratchDirectory directory;
  Input input(bytes, count);
  const std::string path = directory.file("journal");
  const std::string contents = make_contents(input);
  testing::make_file(path, contents);
  const Found expected = find_records(contents);
  expect_read(path, expected);
  expect_opened(path, contents, expected);
  return 0;
}

}  // namespace sluice::fuzz
