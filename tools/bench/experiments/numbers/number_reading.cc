// The rows of `numbers` that read.
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <istream>
#include <string_view>
#include <system_error>

#include "bench/experiments/input/file_map.h"
#include "bench/experiments/input/opened.h"
#include "bench/experiments/numbers/number_rows.h"
#include "sluice/reader.h"

namespace sluice::bench {
namespace {

template <typename Number>
Tally loop_extraction(std::istream& stream) {
  Tally tally;
  for (Number number; stream >> number;) add_number(tally, number);
  return tally;
}

template <typename Number>
Tally loop_fscanf(std::FILE* file) {
  constexpr const char* format = std::is_integral_v<Number> ? "%d" : "%lf";
  Tally tally;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  for (Number number; std::fscanf(file, format, &number) == 1;) add_number(tally, number);
#pragma GCC diagnostic pop
  return tally;
}

template <typename Number>
Tally loop_fgets_strto(std::FILE* file) {
  std::array<char, 2 * max_number_bytes> line;
  Tally tally;
  while (std::fgets(line.data(), static_cast<int>(line.size()), file) != nullptr) {
    if constexpr (std::is_integral_v<Number>) {
      add_number(tally, static_cast<Number>(std::strtol(line.data(), nullptr, 10)));
    } else {
      add_number(tally, std::strtod(line.data(), nullptr));
    }
  }
  return tally;
}

Tally loop_getc_unlocked(std::FILE* file) {
  Tally tally;
  for (int byte; (byte = ::getc_unlocked(file)) != EOF;) {
    int number = 0;
    for (; byte >= '0'; byte = ::getc_unlocked(file)) number = 10 * number + (byte - '0');
    add_number(tally, number);
  }
  return tally;
}

template <typename Number>
const char* add_from_chars(const char* begin, const char* end, Tally& tally) {
  Number number;
  const auto [rest, error] = std::from_chars(begin, end, number);
  if (error != std::errc()) throw std::system_error(std::make_error_code(error), "read a number");
  add_number(tally, number);
  return rest;
}

template <typename Number>
Tally loop_lines(Reader& reader) {
  Tally tally;
  for (const std::string_view line : reader.lines()) {
    add_from_chars<Number>(line.data(), line.data() + line.size(), tally);
  }
  return tally;
}

template <typename Number>
Tally loop_next_number(Reader& reader) {
  Tally tally;
  for (Number number; reader.next_number(number);) add_number(tally, number);
  return tally;
}

template <typename Number>
Tally by_map(const std::string& path) {
  const FileMap map(path);
  const char* const end = map.data() + map.size();
  Tally tally;
  for (const char* at = map.data(); at < end; ++at) at = add_from_chars<Number>(at, end, tally);
  return tally;
}

}  // namespace

template <typename Number>
std::vector<NumberReadingRow> number_reading_rows() {
  constexpr bool integers = std::is_integral_v<Number>;
  constexpr std::uint64_t reader_bytes = ReaderOptions{}.block_bytes;
  std::vector<NumberReadingRow> rows = {
      {"ifstream >>", Kind::baseline, filebuf_buffer_bytes, by_ifstream<loop_extraction<Number>>},
      {"fscanf", Kind::peer, stdio_buffer_bytes, by_stdio<loop_fscanf<Number>>},
      {integers ? "fgets, strtol" : "fgets, strtod", Kind::peer, stdio_buffer_bytes,
       by_stdio<loop_fgets_strto<Number>>},
      {"mmap, std::from_chars", Kind::peer, 0, by_map<Number>},
      {"sluice lines, std::from_chars", Kind::sluice, reader_bytes, by_sluice<loop_lines<Number>>},
      {"sluice next_number", Kind::sluice, reader_bytes, by_sluice<loop_next_number<Number>>},
  };
  if (integers) {
    rows.insert(rows.begin() + 3, {"getc_unlocked, digit by digit", Kind::peer, stdio_buffer_bytes,
                                   by_stdio<loop_getc_unlocked>});
  }
  return rows;
}

template std::vector<NumberReadingRow> number_reading_rows<int>();
template std::vector<NumberReadingRow> number_reading_rows<double>();

}  // namespace sluice::bench
