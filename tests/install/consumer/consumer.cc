// Writes three lines, reads them back and prints them on one line. No exceptions, no RTTI.
#include <cstdio>
#include <string>
#include <string_view>

#include <sluice/files.h>
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

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::string joined;
  sluice::Status status = write_lines(argv[1]);
  if (status.ok()) status = read_lines(argv[1], joined);
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.message().c_str());
    return 1;
  }
  std::puts(joined.c_str());
  return 0;
}
