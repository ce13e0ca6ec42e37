#include "bench/experiments/bytes/byte_rows.h"
#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/output/peer_targets.h"
#include "command_line/quantity.h"
#include "sluice/writer.h"

namespace sluice::bench {
namespace {

template <typename Put>
void to_stdio(const std::string& path, std::uint64_t bytes, std::size_t buffer_bytes, Put put) {
  StdioFile file(path, "wb", buffer_bytes);
  std::FILE* const stream = file.get();
  each_byte(bytes, [&](unsigned char byte) { put(byte, stream); });
  file.close();
}

template <typename Put>
void to_stream(const std::string& path, std::uint64_t bytes, Put put) {
  OutputStream output(path);
  each_byte(bytes, [&](unsigned char byte) { put(static_cast<char>(byte), output.get()); });
  output.close();
}

template <typename Put>
void to_writer(const std::string& path, std::uint64_t bytes, Put put) {
  Writer writer;
  writer.open(path).throw_if_error();
  each_byte(bytes, [&](unsigned char byte) { put(byte, writer); });
  writer.close().throw_if_error();
}

OutputRow fwrite_row(Kind kind, std::size_t buffer_bytes = 0) {
  return {"fwrite", kind, stdio_buffer_bytes, 1, [=](const std::string& path, std::uint64_t bytes) {
            to_stdio(path, bytes, buffer_bytes, [](unsigned char byte, std::FILE* stream) {
              std::fwrite(&byte, 1, 1, stream);
            });
          }};
}

OutputRow fwrite_unlocked_row(std::size_t buffer_bytes = 0) {
  return {"fwrite_unlocked", Kind::peer, stdio_buffer_bytes, 1,
          [=](const std::string& path, std::uint64_t bytes) {
            to_stdio(path, bytes, buffer_bytes, [](unsigned char byte, std::FILE* stream) {
              ::fwrite_unlocked(&byte, 1, 1, stream);
            });
          }};
}

OutputRow with_buffer(OutputRow row, std::size_t buffer_bytes) {
  row.name += " setvbuf=" + format_bytes_short(buffer_bytes);
  row.buffer_bytes = buffer_bytes;
  row.divisor = sweep_divisor;
  return row;
}

OutputRow putc_row() {
  return {"putc", Kind::peer, stdio_buffer_bytes, 1,
          [](const std::string& path, std::uint64_t bytes) {
            to_stdio(path, bytes, 0,
                     [](unsigned char byte, std::FILE* stream) { std::putc(byte, stream); });
          }};
}

OutputRow putc_unlocked_row() {
  return {"putc_unlocked", Kind::peer, stdio_buffer_bytes, 1,
          [](const std::string& path, std::uint64_t bytes) {
            to_stdio(path, bytes, 0,
                     [](unsigned char byte, std::FILE* stream) { putc_unlocked(byte, stream); });
          }};
}

OutputRow ofstream_write_row() {
  return {"ofstream.write", Kind::peer, filebuf_buffer_bytes, 1,
          [](const std::string& path, std::uint64_t bytes) {
            to_stream(path, bytes,
                      [](char byte, std::ofstream& stream) { stream.write(&byte, 1); });
          }};
}

OutputRow ofstream_put_row() {
  return {"ofstream.put", Kind::peer, filebuf_buffer_bytes, 1,
          [](const std::string& path, std::uint64_t bytes) {
            to_stream(path, bytes, [](char byte, std::ofstream& stream) { stream.put(byte); });
          }};
}

OutputRow filebuf_sputc_row() {
  return {"filebuf.sputc", Kind::peer, filebuf_buffer_bytes, 1,
          [](const std::string& path, std::uint64_t bytes) {
            OutputStream output(path);
            std::filebuf& buffer = *output.get().rdbuf();
            each_byte(bytes, [&](unsigned char byte) {
              // The row checks for failures, because libstdc++ would write past the end of its
              // buffer after one.
              const int put = buffer.sputc(static_cast<char>(byte));
              if (put == std::filebuf::traits_type::eof()) fail("write", path);
            });
            output.close();
          }};
}

OutputRow write_row() {
  return {"write(2)", Kind::peer, 0, system_call_divisor,
          [](const std::string& path, std::uint64_t bytes) {
            RawOutput output(path);
            each_byte(bytes, [&](unsigned char byte) { output.write(&byte, 1); });
            output.close();
          }};
}

#if SLUICE_HAVE_FMT_OUTPUT_FILE
OutputRow fmt_row() {
  return {"fmt::output_file print", Kind::peer, fmt_buffer_bytes, 1,
          [](const std::string& path, std::uint64_t bytes) {
            FmtFile output(path);
            each_byte(bytes,
                      [&](unsigned char byte) { output.print("{}", static_cast<char>(byte)); });
            output.close();
          }};
}
#endif

void append_other_libraries([[maybe_unused]] std::vector<OutputRow>& rows) {
#if SLUICE_HAVE_FMT_OUTPUT_FILE
  rows.push_back(fmt_row());
#endif
#if SLUICE_HAVE_BOOST_IOSTREAMS
  rows.push_back({"boost::iostreams sputc", Kind::peer, boost_buffer_bytes, 1,
                  [](const std::string& path, std::uint64_t bytes) {
                    BoostOutput output{boost::iostreams::file_descriptor_sink(path)};
                    each_byte(bytes,
                              [&](unsigned char byte) { output.sputc(static_cast<char>(byte)); });
                    output.close();
                  }});
#endif
#if SLUICE_HAVE_APR
  rows.push_back({"apr_file_putc", Kind::peer, apr_buffer_bytes, 1,
                  [](const std::string& path, std::uint64_t bytes) {
                    AprFile output(path);
                    each_byte(bytes,
                              [&](unsigned char byte) { output.put(static_cast<char>(byte)); });
                    output.close();
                  }});
  rows.push_back({"apr_file_write", Kind::peer, apr_buffer_bytes, 1,
                  [](const std::string& path, std::uint64_t bytes) {
                    AprFile output(path);
                    each_byte(bytes, [&](unsigned char byte) { output.write(&byte, 1); });
                    output.close();
                  }});
#endif
}

OutputRow sluice_put_row() {
  return {"sluice put", Kind::sluice, WriterOptions{}.block_bytes, 1,
          [](const std::string& path, std::uint64_t bytes) {
            to_writer(path, bytes, [](unsigned char byte, Writer& writer) {
              writer.put(static_cast<std::byte>(byte));
            });
          }};
}

OutputRow sluice_write_row() {
  return {"sluice write(&b,1)", Kind::sluice, WriterOptions{}.block_bytes, 1,
          [](const std::string& path, std::uint64_t bytes) {
            to_writer(path, bytes,
                      [](unsigned char byte, Writer& writer) { writer.write(&byte, 1); });
          }};
}

}  // namespace

std::vector<OutputRow> byte_writing_rows(Extent extent) {
  std::vector<OutputRow> rows = {fwrite_row(Kind::baseline), fwrite_unlocked_row()};
  if (extent != Extent::main) {
    for (const std::size_t buffer_bytes : swept_buffer_sizes(extent)) {
      rows.push_back(with_buffer(fwrite_row(Kind::peer, buffer_bytes), buffer_bytes));
      rows.push_back(with_buffer(fwrite_unlocked_row(buffer_bytes), buffer_bytes));
    }
  }
  rows.push_back(putc_row());
  rows.push_back(putc_unlocked_row());
  rows.push_back(ofstream_write_row());
  rows.push_back(ofstream_put_row());
  rows.push_back(filebuf_sputc_row());
  if (extent != Extent::main) {
    rows.push_back(write_row());
    append_other_libraries(rows);
  }
  rows.push_back(sluice_put_row());
  rows.push_back(sluice_write_row());
  return rows;
}

}  // namespace sluice::bench
