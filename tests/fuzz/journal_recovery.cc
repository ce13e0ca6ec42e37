// A file may have any bytes. A Journal and a JournalReader must find all records of the format in
// it, and nothing else.
#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "input.h"
#include "sluice/journal.h"
#include "testing/journal_bytes.h"
#include "testing/scratch_directory.h"

namespace sluice::fuzz {
namespace {

using testing::journal_bytes::find_records;
using testing::journal_bytes::Found;
using testing::journal_bytes::header;
using testing::journal_bytes::mark;
using testing::journal_bytes::record;

constexpr JournalOptions options{.framing = Framing::length_crc32c, .buffer_bytes = 64};

std::string text_of(BytesView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Records and marks that the input describes. A mark says that everything up to the last record, or
// everything before the mark, was durable.
std::string make_file(Input& input) {
  const std::string id = "file id!";
  std::string contents = header(id);
  std::size_t durable = contents.size();
  for (std::size_t parts = input.below(8); parts > 0; --parts) {
    if (input.below(3) == 0) {
      contents += mark(id, contents.size(), durable);
      if (input.below(2) == 0) durable = contents.size();
    } else {
      contents += record(id, contents.size(), input.take(input.below(300)));
    }
  }
  return contents;
}

// Arbitrary bytes, or a file that is damaged in places.
std::string make_contents(Input& input) {
  if (input.below(2) == 0) return std::string(input.rest());
  std::string contents = make_file(input);
  for (std::size_t damages = input.below(4); damages > 0; --damages) {
    const std::size_t at = input.below(contents.size() + 1);
    switch (input.below(5)) {
      case 0: contents.resize(at); break;
      case 1: contents.insert(at, input.take(input.below(20))); break;
      case 2: contents.append(input.below(600), '\0'); break;
      case 3: contents.erase(at, input.below(60)); break;
      default:
        if (at < contents.size()) contents[at] = static_cast<char>(input.below(256));
    }
  }
  return contents;
}

void expect_read(const std::string& path, const Found& expected) {
  JournalReader reader;
  const Status opened = reader.open(path);
  require(opened.ok() == !expected.refused, "another file is refused, and nothing else");
  if (!opened.ok()) return;
  std::vector<std::string> records;
  for (BytesView record; reader.next(record);) records.push_back(text_of(record));
  require(reader.status().ok(), "damage is the end, not a failure");
  require(records == expected.records, "the reader gives the whole records");
  require(reader.position() == expected.whole_bytes, "the reader stands behind them");
}

void expect_torn_kept(const Recovered& recovered, const std::string& contents) {
  const bool is_zeros = contents.find_first_not_of('\0') == std::string::npos;
  const bool is_kept = recovered.torn_bytes != 0 && (recovered.whole_bytes != 0 || !is_zeros);
  require(is_kept == !recovered.torn_path.empty(), "what was cut off has a name");
  if (!is_kept) return;
  require(testing::contents_of(recovered.torn_path) == contents.substr(recovered.whole_bytes),
          "what was cut off is there");
  std::filesystem::remove(recovered.torn_path);
}

void expect_opened(const std::string& path, const std::string& contents, const Found& expected) {
  Journal journal;
  Recovered recovered;
  const Status opened = journal.open(path, options, &recovered);
  require(opened.ok() == !(expected.refused || expected.is_damaged), "a file opens or is refused");
  if (!opened.ok()) {
    const int code = opened.code().value();
    require(code == EBADMSG || (code == EINVAL && expected.refused), "it is refused as such");
    require(testing::contents_of(path) == contents, "what is refused is left as it is");
    return;
  }
  require(recovered.records == expected.records.size(), "the whole records are recovered");
  require(recovered.whole_bytes == expected.whole_bytes, "all their bytes are kept");
  require(recovered.torn_bytes == contents.size() - expected.whole_bytes, "the rest is cut off");
  expect_torn_kept(recovered, contents);
  Journal::Ticket ticket = 0;
  require(journal.append("one more", ticket).ok() && journal.close().ok(), "it goes on");
  Found after = expected;
  after.records.emplace_back("one more");
  const std::string now = testing::contents_of(path);
  require(now.starts_with(contents.substr(0, expected.whole_bytes)), "it goes on behind them");
  require(find_records(now).marked == ticket, "what was closed is marked");
  after.whole_bytes = now.size();
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
