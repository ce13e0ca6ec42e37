// A compressed file may have any bytes. The Reader never gives a wrong byte of a file that the
// library has made, however it was damaged. In any file a seek leads to the bytes that stand at
// this position when the file is read from its beginning.
#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>

#include "input.h"
#include "sluice/codecs.h"
#include "sluice/lz4.h"
#include "sluice/series.h"
#include "sluice/zstd.h"

namespace sluice::fuzz {
namespace {

constexpr std::size_t enough_bytes = 16 << 20;  // of a bomb

BytesView view_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

Status open(Reader& reader, std::string_view file) {
  std::unique_ptr<Source> source;
  Status status =
      make_decompressing_source(make_memory_source(view_of(file)), all_codecs(), source);
  return status.ok() ? reader.open(std::move(source)) : status;
}

// Up to `most` bytes from the present position.
std::string read_on(Reader& reader, std::size_t most) {
  std::string bytes;
  while (bytes.size() < most) {
    const BytesView some = reader.peek(1);
    if (some.empty()) break;
    const std::size_t taken = std::min(some.size(), most - bytes.size());
    bytes.append(reinterpret_cast<const char*>(some.data()), taken);
    reader.skip(taken);
  }
  return bytes;
}

void expect_known_failure(const Status& status) {
  const int code = status.code().value();
  require(status.ok() || code == EBADMSG || code == ENOTSUP, "damage is reported as such");
}

std::string compressed(const Codec& codec, std::string_view plain, std::size_t frame_bytes) {
  std::string file;
  std::unique_ptr<Sink> sink;
  Writer writer;
  Status status = make_compressing_sink(make_memory_sink(file), codec,
                                        {.frame_bytes = frame_bytes, .frames_at_a_time = 1}, sink);
  if (status.ok()) status = writer.open(std::move(sink));
  writer.write(plain);
  require(status.ok() && writer.close().ok(), "bytes are compressed");
  return file;
}

void read_foreign_file(Input& input) {
  const std::size_t position = input.below(60'000);
  const std::string_view file = input.rest();
  Reader reader;
  if (!open(reader, file).ok()) return;
  const std::string all = read_on(reader, enough_bytes);
  expect_known_failure(reader.status());
  Reader again;
  if (!open(again, file).ok() || !again.seek(position).ok()) return;
  const std::string some = read_on(again, 100);
  if (position < all.size()) {
    const std::size_t both = std::min(some.size(), all.size() - position);
    require(some.compare(0, both, all, position, both) == 0, "a seek leads to the right bytes");
  } else if (reader.status().ok() && all.size() < enough_bytes) {
    require(some.empty(), "no bytes stand behind the end");
  }
}

// A byte is changed, or the file is cut. (Without its first bytes it has another format.)
void damage(std::string& file, Input& input) {
  constexpr std::size_t magic_bytes = 4;
  if (file.size() <= magic_bytes) return;
  const std::size_t at = magic_bytes + input.below(file.size() - magic_bytes);
  if (input.below(2) == 0) {
    file.resize(at);
  } else {
    file[at] = static_cast<char>(input.below(256));
  }
}

void read_own_file(Input& input) {
  const Codec* const codecs[] = {&zstd(), &lz4(), &series<double>()};
  const Codec& codec = *codecs[input.below(std::size(codecs))];
  const std::size_t position = input.below(60'000);
  std::string plain;
  for (std::size_t parts = input.below(6); parts > 0; --parts) {
    const std::string_view part = input.take(input.below(200));
    for (std::size_t times = input.below(100); times > 0; --times) plain += part;
  }
  std::string file = compressed(codec, plain, 4096);
  const bool is_damaged = input.below(4) != 0;
  if (is_damaged) damage(file, input);
  Reader reader;
  if (!open(reader, file).ok()) {
    require(is_damaged, "a whole file opens");
    return;
  }
  const std::string back = read_on(reader, SIZE_MAX);
  expect_known_failure(reader.status());
  require(plain.starts_with(back), "no byte is wrong");
  require(is_damaged || (reader.status().ok() && back == plain), "every byte is read");
  Reader again;
  if (!open(again, file).ok() || !again.seek(position).ok()) {
    require(is_damaged, "a whole file can be sought in");
    return;
  }
  const std::string some = read_on(again, 5'000);
  const std::string expected = position < plain.size() ? plain.substr(position, some.size()) : "";
  require(some == expected, "no byte is at a wrong position");
  const std::size_t there = plain.size() - std::min(position, plain.size());
  require(is_damaged || some.size() == std::min<std::size_t>(there, 5'000), "a seek loses no byte");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  Input input(bytes, count);
  if (input.below(2) == 0) {
    read_foreign_file(input);
  } else {
    read_own_file(input);
  }
  return 0;
}

}  // namespace sluice::fuzz
