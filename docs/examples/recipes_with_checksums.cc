// The blocks of docs/recipes.md that use CRC32C checksums, for themselves or in a Journal.
#include <sluice/checksum.h>
#include <sluice/journal.h>
#include <sluice/reader.h>
#include <sluice/sinks.h>
#include <sluice/sources.h>
#include <sluice/writer.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "expect.h"

// Writes a file, and computes the checksum of its bytes on their way.
sluice::Status write_with_checksum(const std::string& path, std::string_view text,
                                   std::uint32_t& checksum) {
  std::unique_ptr<sluice::Sink> file;
  if (sluice::Status status = sluice::open_file_sink(path, {}, file); !status.ok()) return status;
  sluice::Crc32c crc32c;
  sluice::Writer writer;
  sluice::Status status = writer.open(sluice::make_checksumming_sink(std::move(file), crc32c));
  if (!status.ok()) return status;
  writer.write(text);
  status = writer.close();
  checksum = crc32c.value();
  return status;
}

sluice::Status checksum_of(const std::string& path, std::uint32_t& checksum) {
  std::unique_ptr<sluice::Source> file;
  if (sluice::Status status = sluice::open_file_source(path, {}, file); !status.ok()) return status;
  sluice::Crc32c crc32c;
  sluice::Reader reader;
  sluice::Status status = reader.open(sluice::make_checksumming_source(std::move(file), crc32c));
  while (status.ok() && !reader.peek(1).empty()) reader.skip(reader.peek(1).size());
  checksum = crc32c.value();
  return reader.close().also(status);
}

// Many threads append to one Journal. One wait for the disk can serve many of them.
sluice::Status append_from_threads(sluice::Journal& journal, int threads, int records) {
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&journal, records] {
      sluice::Journal::Ticket ticket = 0;
      for (int record = 0; record < records; ++record) {
        if (!journal.append("a record", ticket).ok()) return;  // the Journal keeps the failure
        if (!journal.commit(ticket).ok()) return;              // the record survives a power cut
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  return journal.status();
}

static void checksums_agree() {
  std::uint32_t written = 0;
  std::uint32_t read = 0;
  EXPECT(write_with_checksum("sum", "123456789", written).ok());
  EXPECT(written == 0xe3069283);  // the check value of CRC32C
  EXPECT(checksum_of("sum", read).ok());
  EXPECT(read == written);
}

static void appends_from_threads() {
  sluice::Journal journal;
  EXPECT(journal.open("journal").ok());
  EXPECT(append_from_threads(journal, 4, 10).ok());
  EXPECT(journal.close().ok());
  sluice::JournalReader reader;
  EXPECT(reader.open("journal").ok());
  int records = 0;
  for (sluice::BytesView record; reader.next(record);) ++records;
  EXPECT(reader.status().ok() && records == 40);
}

int main() {
  checksums_agree();
  appends_from_threads();
}
