// The programs of docs/migrating.md that use stdio, and the programs that take their place. Both
// write the same bytes.
#include <sluice/print.h>
#include <sluice/reader.h>
#include <sluice/writer.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expect.h"

namespace before {

int save(const char* path, const double* values, size_t count) {
  FILE* file = fopen(path, "wb");
  if (file == nullptr) return errno;
  for (size_t i = 0; i < count; ++i) {
    if (fwrite(&values[i], sizeof values[i], 1, file) != 1) {
      const int code = errno;
      fclose(file);
      return code;
    }
  }
  return fclose(file) == 0 ? 0 : errno;
}

int longest_line(const char* path, size_t* longest) {
  FILE* file = fopen(path, "r");
  if (file == nullptr) return errno;
  char* line = nullptr;
  size_t capacity = 0;
  ssize_t bytes;
  while ((bytes = getline(&line, &capacity, file)) > 0) {
    if (line[bytes - 1] == '\n') --bytes;
    if (size_t(bytes) > *longest) *longest = size_t(bytes);
  }
  const int code = ferror(file) ? errno : 0;
  free(line);
  fclose(file);
  return code;
}

int sum(const char* path, long* total) {
  FILE* file = fopen(path, "r");
  if (file == nullptr) return errno;
  long number;
  while (fscanf(file, "%ld", &number) == 1) *total += number;  // overflow goes unnoticed
  const bool is_bad = !feof(file);
  fclose(file);
  return is_bad ? EINVAL : 0;  // where in the file is not known
}

int table(const char* path, int rows) {
  FILE* file = fopen(path, "w");
  if (file == nullptr) return errno;
  fprintf(file, "%-10s %8s\n", "number", "half");
  for (int i = 0; i < rows; ++i) fprintf(file, "%-10d %8.1f\n", i, i / 2.0);
  const bool has_failed = ferror(file) != 0;  // the reason of the failure is lost
  return fclose(file) != 0 || has_failed ? EIO : 0;
}

}  // namespace before

namespace after {

sluice::Status save(const std::string& path, std::span<const double> values) {
  sluice::Writer writer;
  if (sluice::Status status = writer.open(path); !status.ok()) return status;
  for (const double value : values) writer.write_value(value);  // a failure shows in close()
  return writer.close();
}

sluice::Status longest_line(const std::string& path, std::size_t& longest) {
  sluice::Reader reader;
  if (sluice::Status status = reader.open(path); !status.ok()) return status;
  for (const std::string_view line : reader.lines()) longest = std::max(longest, line.size());
  return reader.close();
}

sluice::Status sum(const std::string& path, long& total) {
  sluice::Reader reader;
  if (sluice::Status status = reader.open(path); !status.ok()) return status;
  for (long number; reader.next_number(number);) total += number;
  return reader.close();  // "read numbers at byte 7: ..." if there is text that is no number
}

sluice::Status table(const std::string& path, int rows) {
  sluice::Writer writer;
  if (sluice::Status status = writer.open(path); !status.ok()) return status;
  sluice::print(writer, "{:<10} {:>8}\n", "number", "half");
  for (int i = 0; i < rows; ++i) sluice::print(writer, "{:<10} {:>8.1f}\n", i, i / 2.0);
  return writer.close();
}

}  // namespace after

static void saves_the_same_values() {
  const std::vector<double> values = {0.5, -1, 1e300};
  EXPECT(before::save("before", values.data(), values.size()) == 0);
  EXPECT(after::save("after", values).ok());
  EXPECT(content("before") == content("after"));
  EXPECT(content("after").size() == 24);
  EXPECT(before::save("/dev/full", values.data(), values.size()) == ENOSPC);
  EXPECT(after::save("/dev/full", values).code() == std::errc::no_space_on_device);
}

static void finds_the_same_line() {
  make_file("text", "one\nthe longest\nlast");
  std::size_t old_longest = 0;
  std::size_t longest = 0;
  EXPECT(before::longest_line("text", &old_longest) == 0);
  EXPECT(after::longest_line("text", longest).ok());
  EXPECT(old_longest == 11 && longest == 11);
}

static void adds_up_the_same_numbers() {
  make_file("numbers", "1 20\n-3\n");
  long old_total = 0;
  long total = 0;
  EXPECT(before::sum("numbers", &old_total) == 0);
  EXPECT(after::sum("numbers", total).ok());
  EXPECT(old_total == 18 && total == 18);
  make_file("numbers", "1 20\n-3x");
  EXPECT(before::sum("numbers", &old_total) == EINVAL);
  const sluice::Status status = after::sum("numbers", total);
  EXPECT(status.code().value() == EBADMSG && status.offset() == 7);
}

static void prints_the_same_table() {
  EXPECT(before::table("before", 3) == 0);
  EXPECT(after::table("after", 3).ok());
  EXPECT(content("before") == content("after"));
  EXPECT(content("after") ==
         "number         half\n0               0.0\n1               0.5\n2               1.0\n");
}

int main() {
  saves_the_same_values();
  finds_the_same_line();
  adds_up_the_same_numbers();
  prints_the_same_table();
}
