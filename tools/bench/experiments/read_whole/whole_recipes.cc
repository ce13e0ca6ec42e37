#include "bench/experiments/read_whole/whole_recipes.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <vector>

#include "bench/experiments/input/file_map.h"
#include "bench/experiments/input/raw_read.h"
#include "bench/experiments/output/file_targets.h"
#include "bench/experiments/rows/keep.h"

namespace sluice::bench {
namespace {

// An open ifstream. Its buffer is set before the open, because libstdc++ ignores it otherwise.
class InputStream {
 public:
  InputStream(const std::string& path, const Tuning& tuning) : path_(path) {
    if (tuning.buffer_bytes != 0) {
      buffer_ = std::make_unique_for_overwrite<char[]>(tuning.buffer_bytes);
      stream_.rdbuf()->pubsetbuf(buffer_.get(), static_cast<std::streamsize>(tuning.buffer_bytes));
    }
    stream_.open(path, std::ios::binary);
    if (!stream_) fail("open", path);
  }

  std::ifstream* operator->() { return &stream_; }
  std::ifstream& operator*() { return stream_; }

  std::size_t size_by_seeking() {
    stream_.seekg(0, std::ios::end);
    const std::streamoff size = stream_.tellg();
    stream_.seekg(0, std::ios::beg);
    if (size < 0 || !stream_) fail("seek", path_);
    return static_cast<std::size_t>(size);
  }

  // Streams report that they have failed, but not the reason.
  void expect(bool right) const {
    if (!right || stream_.bad()) throw std::runtime_error("read " + path_ + ": the stream failed");
  }

 private:
  const std::string& path_;
  std::unique_ptr<char[]> buffer_;  // outlives the stream that uses it
  std::ifstream stream_;
};

// A streambuf over a descriptor, with only the functions that reading forwards needs.
class DescriptorBuffer : public std::streambuf {
 public:
  DescriptorBuffer(const RawFile& file, std::size_t buffer_bytes)
      : file_(file), block_(buffer_bytes) {}

 protected:
  int_type underflow() override {
    const std::size_t got = file_.read(block_.data(), block_.size());
    setg(block_.data(), block_.data(), block_.data() + got);
    return got == 0 ? traits_type::eof() : traits_type::to_int_type(block_[0]);
  }

 private:
  const RawFile& file_;
  std::vector<char> block_;
};

}  // namespace

std::string copy_iterators(const std::string& path, Tuning tuning) {
  InputStream file(path, tuning);
  std::stringstream text;
  std::copy(std::istreambuf_iterator<char>(file->rdbuf()), std::istreambuf_iterator<char>(),
            std::ostreambuf_iterator<char>(text));
  file.expect(text.good());
  return text.str();
}

std::string assign_iterators(const std::string& path, Tuning tuning) {
  InputStream file(path, tuning);
  std::string text;
  if (tuning.reserve) text.reserve(file.size_by_seeking());
  text.assign(std::istreambuf_iterator<char>(file->rdbuf()), std::istreambuf_iterator<char>());
  file.expect(true);
  return text;
}

std::string stringstream_rdbuf(const std::string& path, Tuning tuning) {
  InputStream file(path, tuning);
  std::stringstream text;
  text << file->rdbuf();
  file.expect(text.good());
  return text.str();
}

std::string getline_append(const std::string& path, Tuning tuning) {
  InputStream file(path, tuning);
  std::string text;
  if (tuning.reserve) text.reserve(file.size_by_seeking());
  std::string line;
  while (std::getline(*file, line)) {
    text += line;
    if (!file->eof()) text += '\n';
  }
  file.expect(true);
  return text;
}

std::string rdbuf_sgetn(const std::string& path, Tuning tuning) {
  InputStream file(path, tuning);
  std::string text(file.size_by_seeking(), '\0');
  const auto size = static_cast<std::streamsize>(text.size());
  file.expect(file->rdbuf()->sgetn(text.data(), size) == size);
  return text;
}

std::string istream_read(const std::string& path, Tuning tuning) {
  InputStream file(path, tuning);
  std::string text(file.size_by_seeking(), '\0');
  file->read(text.data(), static_cast<std::streamsize>(text.size()));
  file.expect(file->good());
  return text;
}

std::string read_array_assign(const std::string& path, Tuning tuning) {
  InputStream file(path, tuning);
  const std::size_t size = file.size_by_seeking();
  const std::unique_ptr<char[]> array(new char[size]);
  file->read(array.get(), static_cast<std::streamsize>(size));
  file.expect(file->good());
  std::string text;
  text.assign(array.get(), size);
  return text;
}

std::string custom_streambuf(const std::string& path, Tuning tuning) {
  const RawFile file(path);
  DescriptorBuffer buffer(file, tuning.buffer_bytes);
  std::stringstream text;
  text << &buffer;
  if (!text) fail("read", path, EIO);
  return text.str();
}

std::string fread_whole(const std::string& path, Tuning) {
  const StdioFile file(path, "rb");
  if (std::fseek(file.get(), 0, SEEK_END) != 0) fail("seek", path);
  const long size = std::ftell(file.get());
  if (size < 0 || std::fseek(file.get(), 0, SEEK_SET) != 0) fail("seek", path);
  std::string text(static_cast<std::size_t>(size), '\0');
  if (std::fread(text.data(), 1, text.size(), file.get()) != text.size()) fail("read", path, EIO);
  return text;
}

std::string mmap_assign(const std::string& path, Tuning) {
  const FileMap map(path);
  std::string text;
  text.assign(map.data(), map.size());
  return text;
}

std::string sluice_string(const std::string& path, Tuning) {
  std::string text;
  read_file(path, text).throw_if_error();
  return text;
}

Bytes sluice_bytes(const std::string& path, Tuning) {
  Bytes bytes;
  read_file(path, bytes).throw_if_error();
  return bytes;
}

MappedFile sluice_map(const std::string& path, Tuning) {
  MappedFile file;
  map_file(path, file).throw_if_error();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < file.bytes().size(); i += 4096) {
    sum += static_cast<std::uint64_t>(file.bytes()[i]);
  }
  keep(sum);
  return file;
}

}  // namespace sluice::bench
