// Appends its arguments to a journal, durably, and prints all its records, with those of earlier
// runs. If a power cut has torn the end, opening the Journal moves that end into another file.
#include <sluice/journal.h>

#include <cstdio>

static sluice::Status append_all(const char* path, int count, char** texts) {
  sluice::Journal journal;
  sluice::Recovered recovered;
  if (sluice::Status status = journal.open(path, {}, &recovered); !status.ok()) return status;
  if (!recovered.torn_path.empty()) {  // parts of records that were never committed
    std::fprintf(stderr, "%s: a torn end is now in %s\n", path, recovered.torn_path.c_str());
  }
  sluice::Journal::Ticket last = 0;
  for (int i = 0; i < count; ++i) {
    if (sluice::Status status = journal.append(texts[i], last); !status.ok()) return status;
  }
  if (sluice::Status status = journal.commit(last); !status.ok()) return status;
  return journal.close();  // the records survive a power cut since commit()
}

static sluice::Status print_all(const char* path) {
  sluice::JournalReader reader;
  if (sluice::Status status = reader.open(path); !status.ok()) return status;
  for (sluice::BytesView record; reader.next(record);) {
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
