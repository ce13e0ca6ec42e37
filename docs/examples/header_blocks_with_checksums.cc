// The blocks at the top of the headers in include/sluice that use CRC32C checksums.
#include <sluice/checksum.h>
#include <sluice/journal.h>
#include <sluice/reader.h>
#include <sluice/sinks.h>
#include <sluice/sources.h>
#include <sluice/writer.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "expect.h"

using sluice::BytesView;
using sluice::JournalReader;
using sluice::make_checksumming_source;
using sluice::open_file_sink;
using sluice::open_file_source;
using sluice::Reader;
using sluice::Sink;
using sluice::Source;
using sluice::Status;
using sluice::Writer;

static Status journal_block(std::string_view record) {
  sluice::Journal journal;
  if (Status status = journal.open("orders.journal"); !status.ok()) return status;
  sluice::Journal::Ticket ticket = 0;                // from here on in any thread:
  Status status = journal.append(record, ticket);    // in order, in one piece
  if (status.ok()) status = journal.commit(ticket);  // durable, or the Journal has failed
  return journal.close().also(status);
}

static std::string used;
static void use(BytesView record) {
  used.append(reinterpret_cast<const char*>(record.data()), record.size());
}

static Status journal_reader_block(JournalReader& reader) {
  for (BytesView record; reader.next(record);) use(record);
  return reader.status();
}

static Status checksum_block(Writer& writer, std::unique_ptr<Sink> sink, std::uint32_t& value) {
  sluice::Crc32c checksum;
  sink = sluice::make_checksumming_sink(std::move(sink), checksum);
  if (Status status = writer.open(std::move(sink)); !status.ok()) return status;
  writer.write("123456789");
  Status status = writer.close();
  value = checksum.value();
  return status;
}

static Status sources_block(Reader& reader, std::uint32_t& value) {
  sluice::Crc32c checksum;
  std::unique_ptr<Source> source;
  if (Status status = open_file_source("run.bin", {}, source); !status.ok()) return status;
  source = make_checksumming_source(std::move(source), checksum);
  if (Status status = reader.open(std::move(source)); !status.ok()) return status;
  std::string text;
  Status status = reader.read_rest(text);
  value = checksum.value();
  return reader.close().also(status);
}

int main() {
  EXPECT(journal_block("an order").ok());
  JournalReader journal;
  EXPECT(journal.open("orders.journal").ok());
  EXPECT(journal_reader_block(journal).ok() && used == "an order");

  std::unique_ptr<Sink> sink;
  EXPECT(open_file_sink("run.bin", {}, sink).ok());
  Writer writer;
  std::uint32_t written = 0;
  EXPECT(checksum_block(writer, std::move(sink), written).ok() && written == 0xe3069283);
  Reader reader;
  std::uint32_t read = 0;
  EXPECT(sources_block(reader, read).ok() && read == written);
}
