// The recipes of `read-whole`: each returns the whole file at `path`, or throws.
#pragma once

#include <cstddef>
#include <string>

#include "sluice/bytes.h"
#include "sluice/files.h"

namespace sluice::bench {

// What the recipes built on streams can be given beside the path.
struct Tuning {
  std::size_t buffer_bytes = 0;  // 0: the stream's own buffer
  bool reserve = false;  // the result's memory at once, its size found by seeking to the end
};

std::string copy_iterators(const std::string& path, Tuning tuning);
std::string assign_iterators(const std::string& path, Tuning tuning);
std::string stringstream_rdbuf(const std::string& path, Tuning tuning);
std::string getline_append(const std::string& path, Tuning tuning);
std::string rdbuf_sgetn(const std::string& path, Tuning tuning);
std::string istream_read(const std::string& path, Tuning tuning);
std::string read_array_assign(const std::string& path, Tuning tuning);
std::string custom_streambuf(const std::string& path, Tuning tuning);
std::string fread_whole(const std::string& path, Tuning tuning);
std::string mmap_assign(const std::string& path, Tuning tuning);

std::string sluice_string(const std::string& path, Tuning tuning);
Bytes sluice_bytes(const std::string& path, Tuning tuning);
MappedFile sluice_map(const std::string& path, Tuning tuning);  // every page touched

}  // namespace sluice::bench
