// `sluice put` for Windows. With --atomic Ctrl-C leaves the old file, and no temporary file.
// Without --atomic Ctrl-C ends the command at once, and the file keeps the bytes that were written.
#include <windows.h>

#include <mutex>
#include <stdexcept>

#include "put/command.h"
#include "sluice/copy.h"
#include "sluice/standard_streams.h"
#include "sluice/writer.h"

namespace sluice::put {
namespace {

constexpr UINT control_c_exit = 0xc000013a;  // STATUS_CONTROL_C_EXIT

void expect_ok(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message());
}

// A Writer that Ctrl-C, or the end of the console, discards. Windows tells of both by a call in a
// thread that it makes, while the command's own thread may wait for input. So each use of the
// Writer takes a lock, and the wait for input takes none.
class Replacement {
 public:
  explicit Replacement(Writer& writer) {
    writer_ = &writer;
    ::SetConsoleCtrlHandler(interrupt, TRUE);
  }
  ~Replacement() {
    const std::lock_guard lock(mutex_);
    writer_ = nullptr;
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  template <typename Use>
  void use(Use use) {
    const std::lock_guard lock(mutex_);
    use(*writer_);
  }

 private:
  static BOOL WINAPI interrupt(DWORD /*kind*/) {
    const std::lock_guard lock(mutex_);
    if (writer_ == nullptr) return FALSE;  // Windows ends the process
    static_cast<void>(writer_->discard());
    ::ExitProcess(control_c_exit);
  }

  static inline std::mutex mutex_;
  static inline Writer* writer_ = nullptr;
};

void replace(Writer& writer) {
  Replacement replacement(writer);
  Reader input = standard_input();
  bool is_written = true;
  for (BytesView bytes = input.peek(1); is_written && !bytes.empty(); bytes = input.peek(1)) {
    replacement.use([&](Writer& to) { is_written = to.write(bytes); });
    input.skip(bytes.size());
  }
  replacement.use([&](Writer& to) {
    if (input.status().ok()) return expect_ok(to.close());
    static_cast<void>(to.discard());
    expect_ok(input.status());
  });
}

}  // namespace

int run(const Request& request, Open open) {
  WriterOptions options;
  if (request.atomic) options.create = CreateMode::replace_atomically;
  if (request.durable) options.durability = Durability::on_close;
  Writer writer;
  expect_ok(open(writer, request, options));
  if (request.atomic) {
    replace(writer);
    return 0;
  }
  Reader input = standard_input();
  expect_ok(copy(input, writer));
  expect_ok(writer.close());
  return 0;
}

}  // namespace sluice::put
