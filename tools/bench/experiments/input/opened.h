// Opens a file in one of the usual ways, and runs a loop over it. A loop may end because of a
// failure. So the stream is checked for a failure once, after the loop.
#pragma once

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <string>

#include "bench/experiments/input/input_file.h"
#include "bench/experiments/input/raw_read.h"
#include "bench/experiments/output/file_targets.h"
#include "sluice/reader.h"

namespace sluice::bench {

template <Tally (*loop)(std::istream&)>
Tally by_ifstream(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("open", path);
  const Tally tally = loop(file);
  if (file.bad()) fail("read", path, EIO);
  return tally;
}

template <Tally (*loop)(std::FILE*)>
Tally by_stdio(const std::string& path) {
  const StdioFile file(path, "rb");
  const Tally tally = loop(file.get());
  if (std::ferror(file.get()) != 0) fail("read", path, EIO);
  return tally;
}

template <Tally (*loop)(Reader&)>
Tally by_sluice(const std::string& path) {
  Reader reader;
  reader.open(path).throw_if_error();
  const Tally tally = loop(reader);
  reader.close().throw_if_error();
  return tally;
}

}  // namespace sluice::bench
