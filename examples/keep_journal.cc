// Appends its arguments to a journal, durably, and prints all records of it, those of earlier runs
// too. The end that a power cut may have torn is cut off when the Journal is opened.
#include <sluice/journal.h>

#include <cstdio>

constexpr sluice::JournalOptions framed{.framing = sluice::Framing::length_crc32c};

static sluice::Status append_all(const char* path, int count, char** texts) {
  sluice::Journal journal;
  sluice::Recovered recovered;
  if (sluice::Status status = journal.open(path, framed, &recovered); !status.ok()) return status;
  if (recovered.torn_bytes != 0) {  // of records that were never committed, or are damaged
    std::fprintf(stderr, "%s: cut off behind byte %llu: %llu bytes\n", path,
                 static_cast<unsigned long long>(recovered.whole_bytes),
                 static_cast<unsigned long long>(recovered.torn_bytes));
  }
  sluice::Journal::Ticket last = 0;
  for (int i = 0; i < count; ++i) {
    if (sluice::Status status = journal.append(texts[i], last); !status.ok()) return status;
  }
  if (sluice::Status status = journal.commit(last); !status.ok()) return status;
  return journal.close();  // after commit() the records survive a power cut already
}

static sluice::Status print_all(const char* path) {
  sluice::JournalReader reader;
  if (sluice::Status status = reader.open(path); !status.ok()) return status;
  for (sluice::ConstBytes record; reader.next(record);) {
    std::printf("%.*s\n", int(record.size()), reinterpret_cast<const char*>(record.data()));
  }
  return reader.status();
}

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: keep_journal FILE TEXT...\n"), 2;
  sluice::Status status = append_all(argv[1], argc - 2, argv + 2);
  if (status.ok()) status = print_all(argv[1]);
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status.ok() ? 0 : 1;
}
