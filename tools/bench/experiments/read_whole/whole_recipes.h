// The recipes of `read-whole`. Each recipe returns the whole file at `path`, or throws.
#pragma once

#include <cstddef>
#include <string>

#include "sluice/bytes.h"
#include "sluice/files.h"

namespace sluice::bench {

// Options of the recipes that use streams.
struct Tuning {
  std::size_t buffer_bytes = 0;  // 0: the stream keeps its own buffer
  bool reserve = false;  // takes the result's memory at once; a seek to the end finds the size
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
MappedFile sluice_map(const std::string& path, Tuning tuning);  // touches every page

}  // namespace sluice::bench
