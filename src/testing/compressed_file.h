// Compressed files in memory: made by the library, and read by it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sluice/codecs.h"
#include "sluice/compression.h"

namespace sluice::testing {

inline constexpr CompressionOptions small_frames{.frame_bytes = 4096, .frames_at_a_time = 3};

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
  Status status = make_compressing_sink(make_memory_sink(target), codec, compression, sink);
  Writer writer;
  if (status.ok()) status = writer.open(std::move(sink));
  if (status.ok()) writer.write(bytes);
  if (status.ok()) status = writer.close();
  EXPECT_TRUE(status.ok()) << status.message();
  return target;
}

// The file must outlive the Reader.
inline Status open_memory(Reader& reader, const std::string& file) {
  std::unique_ptr<Source> source;
  Status status =
      make_decompressing_source(make_memory_source(view_of(file)), all_codecs(), source);
  return status.ok() ? reader.open(std::move(source)) : status;
}

inline Status decompress_any(const std::string& file, std::string& bytes) {
  Reader reader;
  bytes.clear();
  if (Status status = open_memory(reader, file); !status.ok()) return status;
  return reader.read_rest(bytes);
}

}  // namespace sluice::testing
