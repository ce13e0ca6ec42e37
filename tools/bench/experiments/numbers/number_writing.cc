// The rows of `numbers` that write.
#include <fmt/compile.h>
#include <fmt/format.h>

#include <cstdio>
#include <iterator>
#include <limits>
#include <memory>

#include "bench/experiments/numbers/number_rows.h"
#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/output/peer_targets.h"
#include "sluice/print.h"
#include "sluice/writer.h"

namespace sluice::bench {
namespace {

constexpr std::size_t block_bytes = 256 * 1024;

template <typename Number>
using Numbers = std::vector<Number>;

template <typename Number>
void by_ofstream(const std::string& path, const Numbers<Number>& numbers) {
  OutputStream output(path);
  output.get().precision(std::numeric_limits<double>::max_digits10);
  for (const Number number : numbers) output.get() << number << '\n';
  output.close();
}

// The row uses fprintf's result. Otherwise the compiler might call a simpler function instead.
template <typename Number>
void by_fprintf(const std::string& path, const Numbers<Number>& numbers) {
  StdioFile file(path, "wb");
  for (const Number number : numbers) {
    int written;
    if constexpr (std::is_integral_v<Number>) {
      written = std::fprintf(file.get(), "%d\n", number);
    } else {
      written = std::fprintf(file.get(), "%.17g\n", number);
    }
    if (written < 0) fail("write", path);
  }
  file.close();
}

#if SLUICE_HAVE_FMT_OUTPUT_FILE
template <typename Number>
void by_fmt_output_file(const std::string& path, const Numbers<Number>& numbers) {
  FmtFile output(path);
  for (const Number number : numbers) output.print("{}\n", number);
  output.close();
}
#endif

template <typename Number>
void by_fmt_compiled(const std::string& path, const Numbers<Number>& numbers) {
  StdioFile file(path, "wb");
  fmt::memory_buffer text;
  text.reserve(block_bytes);
  const auto write_out = [&] {
    std::fwrite(text.data(), 1, text.size(), file.get());
    text.clear();
  };
  for (const Number number : numbers) {
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}\n"), number);
    if (text.size() > block_bytes - max_number_bytes) write_out();
  }
  write_out();
  file.close();
}

template <typename Number>
void by_to_chars(const std::string& path, const Numbers<Number>& numbers) {
  RawOutput output(path);
  const auto block = std::make_unique_for_overwrite<char[]>(block_bytes);
  char* const begin = block.get();
  char* const last = begin + block_bytes - max_number_bytes;
  char* to = begin;
  const auto write_out = [&] {
    output.write(begin, static_cast<std::size_t>(to - begin));
    to = begin;
  };
  for (const Number number : numbers) {
    to = append_number(to, number);
    if (to > last) write_out();
  }
  write_out();
  output.close();
}

// Opens a Writer, calls `write_one(writer, number)` for each number, and closes the Writer.
template <typename Number, typename WriteOne>
void by_writer(const std::string& path, const Numbers<Number>& numbers, WriteOne write_one) {
  Writer writer;
  writer.open(path).throw_if_error();
  for (const Number number : numbers) write_one(writer, number);
  writer.close().throw_if_error();
}

template <typename Number>
void by_reserve(const std::string& path, const Numbers<Number>& numbers) {
  by_writer(path, numbers, [](Writer& writer, Number number) {
    const MutableBytesView room = writer.reserve(max_number_bytes);
    if (room.empty()) return;  // close() gives the reason
    char* const begin = reinterpret_cast<char*>(room.data());
    writer.commit(static_cast<std::size_t>(append_number(begin, number) - begin));
  });
}

template <typename Number>
void by_print(const std::string& path, const Numbers<Number>& numbers) {
  by_writer(path, numbers, [](Writer& writer, Number number) { print(writer, "{}\n", number); });
}

template <typename Number>
void by_print_compiled(const std::string& path, const Numbers<Number>& numbers) {
  by_writer(path, numbers,
            [](Writer& writer, Number number) { print(writer, FMT_COMPILE("{}\n"), number); });
}

template <typename Number>
void by_write_number(const std::string& path, const Numbers<Number>& numbers) {
  by_writer(path, numbers, [](Writer& writer, Number number) {
    writer.write_number(number);
    writer.put('\n');
  });
}

}  // namespace

template <typename Number>
std::vector<NumberWritingRow<Number>> number_writing_rows() {
  constexpr std::uint64_t writer_bytes = WriterOptions{}.block_bytes;
  return {
    {"ofstream << '\\n'", Kind::baseline, filebuf_buffer_bytes, by_ofstream<Number>},
        {"fprintf", Kind::peer, stdio_buffer_bytes, by_fprintf<Number>},
#if SLUICE_HAVE_FMT_OUTPUT_FILE
        {"fmt::output_file print", Kind::peer, fmt_buffer_bytes, by_fmt_output_file<Number>},
#endif
        {"FMT_COMPILE memory_buffer, fwrite", Kind::peer, block_bytes, by_fmt_compiled<Number>},
        {"std::to_chars 256K, write(2)", Kind::peer, block_bytes, by_to_chars<Number>},
        {"sluice reserve, std::to_chars", Kind::sluice, writer_bytes, by_reserve<Number>},
        {"sluice print", Kind::sluice, writer_bytes, by_print<Number>},
        {"sluice print FMT_COMPILE", Kind::sluice, writer_bytes, by_print_compiled<Number>},
        {"sluice write_number put('\\n')", Kind::sluice, writer_bytes, by_write_number<Number>},
  };
}

template std::vector<NumberWritingRow<int>> number_writing_rows();
template std::vector<NumberWritingRow<double>> number_writing_rows();

}  // namespace sluice::bench
