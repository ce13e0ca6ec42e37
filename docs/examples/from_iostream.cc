// The programs of docs/migrating.md that use iostreams, and the programs that take their place.
// Both write the same bytes.
#include <sluice/files.h>
#include <sluice/iostream.h>
#include <sluice/reader.h>
#include <sluice/result.h>
#include <sluice/writer.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "expect.h"

struct Sample {
  double time;
  double value;
};

// Code that takes a std::ostream, and that nobody wants to change.
void write_report(std::ostream& out) {
  for (int i = 0; i < 3; ++i) out << "row " << i << '\n';
}

namespace before {

bool write_lines(const std::string& path, const std::vector<std::string>& lines) {
  std::ofstream out(path);
  for (const std::string& line : lines) out << line << std::endl;  // a system call for each line
  out.close();
  return !out.fail();  // why it has failed is not known
}

bool count_words(const std::string& path, std::string_view word, int& count) {
  std::ifstream in(path);
  if (!in) return false;
  for (std::string line; std::getline(in, line);) {
    if (line.find(word) != std::string::npos) ++count;
  }
  return !in.bad();
}

bool save(const std::string& path, const std::vector<Sample>& samples) {
  std::ofstream out(path, std::ios::binary);
  for (const Sample& sample : samples) {
    out.write(reinterpret_cast<const char*>(&sample), sizeof sample);
  }
  out.close();
  return !out.fail();
}

std::string whole_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};  // "" if there is no such file
}

bool report(const std::string& path) {
  std::ofstream out(path);
  write_report(out);
  out.close();
  return !out.fail();
}

}  // namespace before

namespace after {

sluice::Status write_lines(const std::string& path, const std::vector<std::string>& lines) {
  sluice::Writer writer;
  if (sluice::Status status = writer.open(path); !status.ok()) return status;
  for (const std::string& line : lines) {
    writer.write(line);
    writer.put('\n');
  }
  return writer.close();  // "write PATH at byte N: No space left on device"
}

sluice::Status count_words(const std::string& path, std::string_view word, int& count) {
  sluice::Reader reader;
  if (sluice::Status status = reader.open(path); !status.ok()) return status;
  for (const std::string_view line : reader.lines()) {
    if (line.find(word) != std::string_view::npos) ++count;
  }
  return reader.close();
}

sluice::Status save(const std::string& path, const std::vector<Sample>& samples) {
  sluice::Writer writer;
  if (sluice::Status status = writer.open(path); !status.ok()) return status;
  writer.write_values(samples);  // or write_value(sample) for each
  return writer.close();
}

sluice::Result<std::string> whole_text(const std::string& path) {
  return sluice::read_text(path);  // the text, or the failure
}

sluice::Status report(const std::string& path) {
  sluice::OStreamWriter out(path);  // a std::ostream: write_report stays as it is
  write_report(out);
  return out.close();
}

}  // namespace after

static void writes_the_same_lines() {
  const std::vector<std::string> lines = {"one", "", "three"};
  EXPECT(before::write_lines("before", lines));
  EXPECT(after::write_lines("after", lines).ok());
  EXPECT(content("before") == content("after"));
  EXPECT(content("after") == "one\n\nthree\n");
  EXPECT(!before::write_lines("/dev/full", lines));
  EXPECT(after::write_lines("/dev/full", lines).message() ==
         "write /dev/full at byte 0: No space left on device");
}

static void counts_the_same_words() {
  make_file("text", "an error\nfine\nerror and error");
  int old_count = 0;
  int count = 0;
  EXPECT(before::count_words("text", "error", old_count));
  EXPECT(after::count_words("text", "error", count).ok());
  EXPECT(old_count == 2 && count == 2);
}

static void saves_the_same_samples() {
  const std::vector<Sample> samples = {{0, 1.5}, {0.1, 2.5}};
  EXPECT(before::save("before", samples));
  EXPECT(after::save("after", samples).ok());
  EXPECT(content("before") == content("after"));
  EXPECT(content("after").size() == 2 * sizeof(Sample));
}

static void reads_the_same_text() {
  make_file("text", "one\ntwo");
  EXPECT(before::whole_text("text") == "one\ntwo");
  EXPECT(*after::whole_text("text") == "one\ntwo");
  EXPECT(before::whole_text("missing").empty());
  EXPECT(after::whole_text("missing").status().code().value() == ENOENT);
}

static void writes_the_same_report() {
  EXPECT(before::report("before"));
  EXPECT(after::report("after").ok());
  EXPECT(content("before") == content("after"));
  EXPECT(content("after") == "row 0\nrow 1\nrow 2\n");
}

int main() {
  writes_the_same_lines();
  counts_the_same_words();
  saves_the_same_samples();
  reads_the_same_text();
  writes_the_same_report();
}
