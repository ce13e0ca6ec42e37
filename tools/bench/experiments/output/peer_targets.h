// The targets of other libraries. Each is built only if its package is installed. The target of
// {fmt} is in its compiled library, so a build with {fmt} as headers alone lacks it.
//
// The rules of file_targets.h hold: a failure throws, and a target owns the file that it opened.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#if SLUICE_HAVE_FMT_OUTPUT_FILE
#include <fmt/os.h>
#endif

#if SLUICE_HAVE_BOOST_IOSTREAMS
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/stream_buffer.hpp>
#endif

#if SLUICE_HAVE_APR
#include <apr_file_io.h>
#include <apr_general.h>
#include <apr_pools.h>

#include <stdexcept>
#endif

namespace sluice::bench {

#if SLUICE_HAVE_FMT_OUTPUT_FILE
inline constexpr std::size_t fmt_buffer_bytes = 32768;

// The stream of fmt::output_file. It deliberately has no destructor. fmt's destructor would write
// the bytes of a failed stream once more, then throw, and so end the program.
class FmtFile {
 public:
  explicit FmtFile(const std::string& path) : stream_(new fmt::ostream(fmt::output_file(path))) {}
  FmtFile(const FmtFile&) = delete;
  FmtFile& operator=(const FmtFile&) = delete;

  template <typename... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    stream_->print(format, std::forward<Args>(args)...);
  }

  void close() {
    stream_->close();
    delete std::exchange(stream_, nullptr);
  }

 private:
  fmt::ostream* stream_;
};
#endif

#if SLUICE_HAVE_BOOST_IOSTREAMS
// A stream buffer over a descriptor. Its close() throws by itself if it fails.
using BoostOutput = boost::iostreams::stream_buffer<boost::iostreams::file_descriptor_sink>;
inline constexpr std::size_t boost_buffer_bytes = boost::iostreams::default_device_buffer_size;
#endif

#if SLUICE_HAVE_APR
inline constexpr std::size_t apr_buffer_bytes = 4096;  // APR_FILE_DEFAULT_BUFSIZE is private

// A buffered apr_file_t, and the pool in which it lives.
class AprFile {
 public:
  explicit AprFile(const std::string& path) : path_(path) {
    expect(apr_initialize(), "initialize");
    expect(apr_pool_create(&pool_, nullptr), "make a pool for");
    expect(
        apr_file_open(&file_, path_.c_str(),
                      APR_FOPEN_WRITE | APR_FOPEN_CREATE | APR_FOPEN_TRUNCATE | APR_FOPEN_BUFFERED,
                      APR_FPROT_OS_DEFAULT, pool_),
        "open");
  }
  ~AprFile() { apr_terminate(); }  // destroys the pool, which closes the file
  AprFile(const AprFile&) = delete;
  AprFile& operator=(const AprFile&) = delete;

  void put(char byte) {
    if (const apr_status_t status = apr_file_putc(byte, file_); status != APR_SUCCESS) {
      expect(status, "write");
    }
  }

  void write(const void* data, std::size_t bytes) {
    apr_size_t written = 0;
    const apr_status_t status = apr_file_write_full(file_, data, bytes, &written);
    if (status != APR_SUCCESS) expect(status, "write");
  }

  void close() { expect(apr_file_close(file_), "close"); }

 private:
  void expect(apr_status_t status, const char* operation) const {
    if (status == APR_SUCCESS) return;
    char reason[256];
    apr_strerror(status, reason, sizeof(reason));
    throw std::runtime_error(std::string(operation) + " " + path_ + ": " + reason);
  }

  std::string path_;
  apr_pool_t* pool_ = nullptr;
  apr_file_t* file_ = nullptr;
};
#endif

}  // namespace sluice::bench
