// Copies a file by reading straight into the Writer's block: each byte is copied once.
#include <sluice/reader.h>
#include <sluice/writer.h>

#include <cstddef>
#include <cstdio>

static sluice::Status copy_file(const char* from, const char* to) {
  sluice::Reader reader;
  if (sluice::Status status = reader.open(from); !status.ok()) return status;
  sluice::Writer writer;
  if (sluice::Status status = writer.open(to); !status.ok()) return status;

  std::size_t got = 1;
  while (got != 0) {
    const sluice::MutableBytesView room = writer.reserve(65536);
    if (room.empty()) break;  // the Writer has failed: close() says how
    got = reader.read(room);
    writer.commit(got);
  }
  const sluice::Status read = reader.close();
  const sluice::Status written = writer.close();
  return read.ok() ? written : read;
}

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: copy_file FROM TO\n"), 2;
  const sluice::Status status = copy_file(argv[1], argv[2]);
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status.ok() ? 0 : 1;
}
