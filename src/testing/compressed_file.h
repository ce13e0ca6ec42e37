// Compressed files in memory: made by the library, and read by it.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sluice/codecs.h"
#include "sluice/compression.h"

namespace sluice::testing {

inline constexpr CompressionOptions small_frames{.frame_bytes = 4096, .frames_at_a_time = 3};

inline void expect_ok(const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); }

inline BytesView view_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// Text that compresses, with few repetitions of a frame's size.
inline std::string lines(std::size_t bytes) {
  std::string text;
  for (unsigned i = 0; text.size() < bytes; ++i) {
    text += "line " + std::to_string(i * 2654435761u) + "\n";
  }
  text.resize(bytes);
  return text;
}

inline std::string compressed_by(const Codec& codec, const std::string& bytes,
                                 const CompressionOptions& compression = small_frames) {
  std::string target;
  std::unique_ptr<Sink> sink;
  expect_ok(make_compressing_sink(make_memory_sink(target), codec, compression, sink));
  Writer writer;
  expect_ok(writer.open(std::move(sink), {.block_bytes = std::size_t{1} << 20}));
  EXPECT_TRUE(writer.write(bytes));
  expect_ok(writer.close());
  return target;
}

using CodecList = std::initializer_list<const Codec*>;

inline Status open_decompressing(Reader& reader, std::unique_ptr<Source> from,
                                 CodecList codecs = all_codecs()) {
  std::unique_ptr<Source> source;
  Status status = make_decompressing_source(std::move(from), codecs, source);
  return status.ok() ? reader.open(std::move(source)) : status;
}

// The file must outlive the Reader.
inline Status open_memory(Reader& reader, const std::string& file,
                          CodecList codecs = all_codecs()) {
  return open_decompressing(reader, make_memory_source(view_of(file)), codecs);
}

inline Status decompress(std::unique_ptr<Source> from, std::string& bytes,
                         CodecList codecs = all_codecs()) {
  Reader reader;
  bytes.clear();
  if (Status status = open_decompressing(reader, std::move(from), codecs); !status.ok()) {
    return status;
  }
  return reader.read_rest(bytes);
}

inline Status decompress(const std::string& file, std::string& bytes,
                         CodecList codecs = all_codecs()) {
  return decompress(make_memory_source(view_of(file)), bytes, codecs);
}

inline std::string with_flipped_bit(std::string file, std::size_t bit) {
  file[bit / 8] = static_cast<char>(file[bit / 8] ^ (1 << bit % 8));
  return file;
}

}  // namespace sluice::testing
