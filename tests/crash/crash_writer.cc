// Keeps one of the promises about durability, and ends at once: nothing is flushed or closed after.
//
// usage: crash_writer PROMISE FILE
#include <sluice/files.h>
#include <sluice/writer.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace {

using sluice::CreateMode;
using sluice::Durability;
using sluice::Status;
using sluice::Writer;

std::string new_bytes() { return std::string(300'000, 'n'); }

// Opens, writes in pieces, and says what became of it, without closing.
Status write_open(Writer& writer, const std::string& path, Durability durability) {
  if (Status status = writer.open(path, {.durability = durability}); !status.ok()) return status;
  for (int piece = 0; piece < 3; ++piece) writer.write(std::string(100'000, 'n'));
  return writer.status();
}

Status keep(std::string_view promise, const std::string& path, Writer& writer) {
  if (promise == "none") return sluice::write_file(path, new_bytes());
  if (promise == "on_close") {
    return sluice::write_file(path, new_bytes(), {.durability = Durability::on_close});
  }
  if (promise == "replace") {
    return sluice::write_file(path, new_bytes(), {.create = CreateMode::replace_atomically});
  }
  if (promise == "every_write") return write_open(writer, path, Durability::every_write);
  const bool every_flush = promise == "every_flush";
  Status status =
      write_open(writer, path, every_flush ? Durability::every_flush : Durability::none);
  if (!status.ok()) return status;
  return writer.flush(every_flush ? sluice::FlushTo::os : sluice::FlushTo::storage);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  Writer writer;
  const Status status = keep(argv[1], argv[2], writer);
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
  ::_exit(status.ok() ? 0 : 1);
}
