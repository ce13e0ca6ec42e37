// A Sink of your own: it drops the bytes and keeps only their checksum (FNV-1a).
#include <sluice/writer.h>

#include <cstdio>
#include <memory>
#include <string>

class ChecksumSink : public sluice::Sink {
 public:
  explicit ChecksumSink(unsigned& checksum) : checksum_(checksum) {}

  sluice::Status write(std::uint64_t /*position*/, std::span<const sluice::BytesView> pieces,
                       std::size_t& written) override {
    written = 0;
    for (const sluice::BytesView piece : pieces) {
      for (const std::byte byte : piece) checksum_ = (checksum_ ^ unsigned(byte)) * 16777619U;
      written += piece.size();
    }
    return {};
  }
  sluice::Status sync() override { return {}; }
  sluice::Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  unsigned& checksum_;
  const std::string path_ = "checksum";
};

int main(int argc, char** argv) {
  unsigned checksum = 2166136261U;
  sluice::Writer writer;
  sluice::Status status = writer.open(std::make_unique<ChecksumSink>(checksum));
  for (int i = 1; status.ok() && i < argc; ++i) writer.write(argv[i]);
  if (status.ok()) status = writer.close();
  std::printf("%08x\n", checksum);
  return status.ok() ? 0 : 1;
}
