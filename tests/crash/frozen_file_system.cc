// A program with Writers on a frozen file system, while another Writer works elsewhere.
//
// usage: crash_frozen_file_system CASE FROZEN ELSEWHERE
//
// FROZEN and ELSEWHERE are folders. The file system of FROZEN is frozen (FIFREEZE) after the
// Writers there were opened. It thaws only when the Writer in ELSEWHERE has finished, or after a
// time limit, so that a failing run does not hang for ever. CASE says what the Writers on the
// frozen file system do, how many there are, and what is done elsewhere: see `cases` below. The
// program exits with 1, and the broken promise, if something is not as it should be.
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sluice/files.h"
#include "sluice/writer.h"
#include "testing/pattern.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::crash {
namespace {

using testing::contents_of;
using testing::pattern;

constexpr std::chrono::seconds patience{30};
constexpr std::size_t large_bytes = std::size_t{24} << 20;
constexpr WriterOptions behind = {.write_behind = WriteBehind::on};

enum class Ending : std::uint8_t { close, destructor };
enum class Elsewhere : std::uint8_t { write, write_behind, read };

struct Case {
  std::string_view name;
  std::size_t frozen_writers;
  std::size_t frozen_bytes;  // of each of them
  Ending ending;
  Elsewhere elsewhere;
};

constexpr Case cases[] = {
    {"blocks_in_flight", 1, large_bytes, Ending::close, Elsewhere::write},
    {"blocks_in_flight_of_both", 1, large_bytes, Ending::close, Elsewhere::write_behind},
    {"destructor", 1, 300'000, Ending::destructor, Elsewhere::write},
    {"two_frozen", 2, large_bytes, Ending::close, Elsewhere::write},
    {"read_whole_file", 1, large_bytes, Ending::close, Elsewhere::read},
};

bool all_hold = true;

void expect(bool holds, const std::string& promise) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", promise.c_str());
  all_hold = false;
}

void expect_ok(const Status& status) { expect(status.ok(), "no failure: " + status.message()); }

// The file system that a folder lies on, which one process at a time may freeze.
class FileSystem {
 public:
  explicit FileSystem(const std::string& folder)
      : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}
  ~FileSystem() { ::close(folder_); }
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;

  void freeze() { control(FIFREEZE, "freeze"); }
  void thaw() { control(FITHAW, "thaw"); }

 private:
  void control(unsigned long request, const char* what) const {
    if (::ioctl(folder_, request, 0) == 0) return;
    std::perror(what);
    std::_Exit(2);
  }

  const int folder_;
};

// A Writer that is opened here and writes in a thread of its own.
class FrozenWriter {
 public:
  FrozenWriter(std::string path, std::size_t bytes, Ending ending)
      : path_(std::move(path)), bytes_(bytes), ending_(ending), writer_(new Writer) {
    expect_ok(writer_->open(path_, behind));
  }

  void start() {
    thread_ = std::thread([this] { write(); });
    while (thread_number_ == 0) std::this_thread::yield();
  }

  // From here on the Writer can do nothing before the thaw.
  void wait_until_stalled() {
    expect(testing::wait_until_asleep(thread_number_), "a Writer waits for a frozen file system");
  }
  bool has_ended() const { return has_ended_; }

  void expect_all_written() {
    thread_.join();
    expect(contents_of(path_) == pattern(0, bytes_), path_ + " is whole after the thaw");
  }

 private:
  void write() {
    thread_number_ = testing::this_thread();
    for (std::size_t i = 0; i < bytes_; ++i) writer_->put(testing::pattern_at(i));
    if (ending_ == Ending::close) expect_ok(writer_->close());
    writer_.reset();
    has_ended_ = true;
  }

  const std::string path_;
  const std::size_t bytes_;
  const Ending ending_;
  std::unique_ptr<Writer> writer_;
  std::atomic<pid_t> thread_number_{0};
  std::atomic<bool> has_ended_{false};
  std::thread thread_;
};

void write_elsewhere(const std::string& path, const WriterOptions& options) {
  Writer writer;
  expect_ok(writer.open(path, options));
  for (std::size_t i = 0; i < large_bytes; ++i) writer.put(testing::pattern_at(i));
  expect_ok(writer.close());
  expect(contents_of(path) == pattern(0, large_bytes), path + " is whole");
}

void read_elsewhere(const std::string& path) {
  Bytes bytes;
  expect_ok(read_file(path, bytes));
  expect(bytes.text() == pattern(0, large_bytes), path + " is read right");
}

void work(Elsewhere what, const std::string& path) {
  switch (what) {
    case Elsewhere::write: return write_elsewhere(path, {});
    case Elsewhere::write_behind: return write_elsewhere(path, behind);
    case Elsewhere::read: return read_elsewhere(path);
  }
}

// All Writers come to rest before the work begins; the thaw comes after the work.
void work_while_frozen(const Case& it, FileSystem& frozen,
                       std::vector<std::unique_ptr<FrozenWriter>>& writers,
                       const std::string& path) {
  frozen.freeze();
  for (const auto& writer : writers) {
    writer->start();
    writer->wait_until_stalled();
  }
  std::future<void> ended = std::async(std::launch::async, [&] { work(it.elsewhere, path); });
  expect(ended.wait_for(patience) == std::future_status::ready,
         "who works on another file system does not wait for the thaw");
  for (const auto& writer : writers) expect(!writer->has_ended(), "what is frozen takes no bytes");
  frozen.thaw();
  ended.get();
}

void run(const Case& it, const std::string& frozen_folder, const std::string& elsewhere) {
  FileSystem frozen(frozen_folder);
  std::vector<std::unique_ptr<FrozenWriter>> writers;
  for (std::size_t i = 0; i < it.frozen_writers; ++i) {
    const std::string path = frozen_folder + "/frozen-" + std::to_string(i);
    writers.push_back(std::make_unique<FrozenWriter>(path, it.frozen_bytes, it.ending));
  }
  const std::string path = elsewhere + "/file";
  testing::make_file(path, pattern(0, it.elsewhere == Elsewhere::read ? large_bytes : 0));
  work_while_frozen(it, frozen, writers, path);
  for (const auto& writer : writers) writer->expect_all_written();
}

int main(const std::vector<std::string>& arguments) {
  for (const Case& each : cases) {
    if (arguments.size() != 3 || each.name != arguments[0]) continue;
    run(each, arguments[1], arguments[2]);
    return all_hold ? 0 : 1;
  }
  std::fprintf(stderr, "usage: crash_frozen_file_system CASE FROZEN ELSEWHERE\n");
  return 2;
}

}  // namespace
}  // namespace sluice::crash

int main(int count, char** arguments) {
  return sluice::crash::main({arguments + 1, arguments + count});
}
