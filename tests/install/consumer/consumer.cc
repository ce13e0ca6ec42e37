// Writes three lines, reads them back, passes them through a Journal and prints them on one line.
// It uses no exceptions and no RTTI.
#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>

#include <sluice/files.h>
#include <sluice/journal.h>
#include <sluice/reader.h>
#include <sluice/writer.h>
#ifdef CONSUMER_PRINTS
#include <sluice/print.h>
#endif

static sluice::Status write_lines(const std::string& path) {
  sluice::Writer writer;
  if (sluice::Status status = writer.open(path); !status.ok()) return status;
  writer.write("alpha\nbeta\n");
#ifdef CONSUMER_PRINTS
  sluice::print(writer, "{}\n", "gamma");
#else
  writer.write("gamma\n");
#endif
  return writer.close();
}

static sluice::Status read_lines(const std::string& path, std::string& joined) {
  sluice::Reader reader;
  if (sluice::Status status = reader.open(path); !status.ok()) return status;
  for (std::string_view line : reader.lines()) {
    if (!joined.empty()) joined += ' ';
    joined += line;
  }
  return reader.close();
}

// The Journal's checksums need a library. sluice may have been built without it.
static sluice::Status pass_through_journal(const std::string& path, std::string& text) {
  sluice::Journal journal;
  sluice::Status status = journal.open(path);
  if (status.code().value() == ENOTSUP) return {};
  sluice::Journal::Ticket ticket = 0;
  if (status.ok()) status = journal.append(text, ticket);
  if (status.ok()) status = journal.close();
  sluice::JournalReader reader;
  if (status.ok()) status = reader.open(path);
  text.clear();
  for (sluice::BytesView record; status.ok() && reader.next(record);) {
    text.append(reinterpret_cast<const char*>(record.data()), record.size());
  }
  std::remove(path.c_str());
  return status.ok() ? reader.status() : status;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::string joined;
  sluice::Status status = write_lines(argv[1]);
  if (status.ok()) status = read_lines(argv[1], joined);
  if (status.ok()) status = pass_through_journal(std::string(argv[1]) + ".journal", joined);
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.message().c_str());
    return 1;
  }
  std::puts(joined.c_str());
  return 0;
}
