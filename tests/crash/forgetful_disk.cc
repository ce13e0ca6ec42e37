// A disk that forgets: a FUSE file system whose file `image` has a cache, and loses it.
//
// usage: crash_forgetful_disk BYTES -f -s MOUNTPOINT
//
// `image` has BYTES bytes and is a ForgetfulMedium; fsync flushes it. While its power is off, every
// call fails with EIO. Orders are written to the file `orders`, one at a time:
//   choose SEED PERCENT   what the next cuts leave: about PERCENT of what was not flushed
//   cut                   the power goes off now
//   cut write NTH         ... in the middle of the NTH write from now on, which fails
//   cut flush NTH         ... in the middle of the NTH flush
//   ignore                flushes are answered and do nothing
//   on                    the power is on again
// Reading `orders` gives "on" or "off", the number of writes and of flushes, and the number of
// writes that cuts have kept, torn and lost. Linux only; one thread.
#define FUSE_USE_VERSION 31
#include <fuse.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "forgetful_medium.h"

namespace sluice::crash {
namespace {

constexpr std::string_view image_path = "/image";
constexpr std::string_view orders_path = "/orders";
constexpr unsigned max_write_bytes = 16384;  // larger ones come in parts, each lost by itself

std::unique_ptr<ForgetfulMedium> medium;

// False for text that is not an order.
bool take_order(const std::string& text) {
  std::istringstream words(text);
  std::string what;
  std::string moment;
  std::uint64_t number = 0;
  unsigned percent = 0;
  words >> what;
  if (what == "choose" && words >> number >> percent) {
    medium->choose(number, percent);
  } else if (what == "cut" && !(words >> moment)) {
    medium->cut();
  } else if (what == "cut" && words >> number && (moment == "write" || moment == "flush")) {
    using Moment = ForgetfulMedium::Moment;
    medium->cut_at(moment == "write" ? Moment::write : Moment::flush, number);
  } else if (what == "ignore") {
    medium->ignore_flushes();
  } else if (what == "on") {
    medium->power_up();
  } else {
    return false;
  }
  return true;
}

std::string state() {
  const ForgetfulMedium::Counts& counts = medium->counts();
  std::ostringstream text;
  text << (medium->is_on() ? "on" : "off") << ' ' << counts.writes << ' ' << counts.flushes << ' '
       << counts.kept << ' ' << counts.torn << ' ' << counts.lost << '\n';
  return text.str();
}

void* begin(fuse_conn_info* connection, fuse_config* /*settings*/) {
  connection->max_write = max_write_bytes;
  return nullptr;
}

int get_attributes(const char* path, struct stat* result, fuse_file_info* /*info*/) {
  *result = {};
  result->st_nlink = 1;
  result->st_mode = S_IFREG | 0600;
  if (path == image_path) {
    result->st_size = static_cast<off_t>(medium->bytes());
  } else if (path == std::string_view("/")) {
    result->st_mode = S_IFDIR | 0700;
  } else if (path != orders_path) {
    return -ENOENT;
  }
  return 0;
}

int read_directory(const char* /*path*/, void* buffer, fuse_fill_dir_t fill, off_t /*position*/,
                   fuse_file_info* /*info*/, fuse_readdir_flags /*flags*/) {
  for (const std::string_view path : {image_path, orders_path}) {
    fill(buffer, path.data() + 1, nullptr, 0, static_cast<fuse_fill_dir_flags>(0));
  }
  return 0;
}

// Only the medium may remember the written bytes.
int open_file(const char* /*path*/, fuse_file_info* info) {
  info->direct_io = 1;
  return 0;
}

int read_file(const char* path, char* into, std::size_t bytes, off_t position,
              fuse_file_info* /*info*/) {
  const auto begin = static_cast<std::size_t>(position);
  if (path == orders_path) {
    const std::string text = state();
    return static_cast<int>(text.copy(into, bytes, std::min(begin, text.size())));
  }
  bytes = std::min(bytes, medium->bytes() - std::min(begin, medium->bytes()));
  return medium->read(begin, {into, bytes}) ? static_cast<int>(bytes) : -EIO;
}

int write_file(const char* path, const char* from, std::size_t bytes, off_t position,
               fuse_file_info* /*info*/) {
  if (path == orders_path) {
    return take_order(std::string(from, bytes)) ? static_cast<int>(bytes) : -EINVAL;
  }
  const auto begin = static_cast<std::size_t>(position);
  if (begin + bytes > medium->bytes()) return -ENOSPC;
  return medium->write(begin, {from, bytes}) ? static_cast<int>(bytes) : -EIO;
}

// Opening `orders` for writing may ask for a truncation.
int truncate(const char* path, off_t /*bytes*/, fuse_file_info* /*info*/) {
  return path == orders_path ? 0 : -EPERM;
}

int sync(const char* path, int /*data_only*/, fuse_file_info* /*info*/) {
  return path == orders_path || medium->flush() ? 0 : -EIO;
}

fuse_operations operations() {
  fuse_operations all{};
  all.init = begin;
  all.getattr = get_attributes;
  all.readdir = read_directory;
  all.open = open_file;
  all.read = read_file;
  all.write = write_file;
  all.truncate = truncate;
  all.fsync = sync;
  return all;
}

int main(int count, char** arguments) {
  if (count < 2) return 2;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // the test's mounts live as long as its processes
  medium = std::make_unique<ForgetfulMedium>(std::strtoull(arguments[1], nullptr, 10));
  const fuse_operations all = operations();
  arguments[1] = arguments[0];
  return fuse_main(count - 1, arguments + 1, &all, nullptr);
}

}  // namespace
}  // namespace sluice::crash

int main(int count, char** arguments) { return sluice::crash::main(count, arguments); }
