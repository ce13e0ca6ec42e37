// Writes three lines compressed, reads them back, and prints them.
#include <sluice/codecs.h>

#include <iostream>
#include <string>
#include <string_view>

int main(int, char** argv) {
  const std::string path = argv[1];
  const sluice::Codec* const codec = sluice::codec_named("lz4");
  if (codec == nullptr || sluice::codec_named("zstd") == nullptr) return 2;
  sluice::Writer writer;
  if (!sluice::open_compressed(writer, path, *codec).ok()) return 3;
  writer.write("alpha\nbeta\ngamma\n");
  if (!writer.close().ok()) return 4;
  sluice::Reader reader;
  if (!sluice::open_decompressed(reader, path, sluice::all_codecs()).ok()) return 5;
  const char* between = "";
  for (std::string_view line : reader.lines()) {
    std::cout << between << line;
    between = " ";
  }
  std::cout << '\n';
  return reader.close().ok() ? 0 : 6;
}
