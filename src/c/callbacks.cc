#include "c/callbacks.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "c/error.h"
#include "c/options.h"

namespace sluice::c {
namespace {

// Calls release() when it is destroyed. It owns the struct before anything can fail.
template <typename Calls>
class Released {
 public:
  explicit Released(const Calls& calls) : calls_(calls) {}
  Released(Released&& other) noexcept : calls_(other.calls_) { other.calls_.release = nullptr; }
  Released& operator=(Released&&) = delete;
  ~Released() {
    if (calls_.release != nullptr) calls_.release(calls_.context);
  }
  const Calls* operator->() const { return &calls_; }

 private:
  Calls calls_;
};

// A C program may pass the pointer on to memcpy(), which must not get a null pointer.
const void* never_null(BytesView bytes) {
  return bytes.empty() ? static_cast<const void*>("") : bytes.data();
}

Status result_of(Operation operation, const std::string& path, int code,
                 std::optional<std::uint64_t> offset = std::nullopt) {
  return code == 0 ? Status() : Status::failure(operation, path, code, offset);
}

class CallbackSink final : public Sink {
 public:
  CallbackSink(Released<sluice_sink>&& calls) : calls_(std::move(calls)), path_(calls_->name) {}

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    written = 0;
    for (const BytesView piece : pieces) {
      std::size_t done = 0;
      const int code = calls_->write(calls_->context, position + written, never_null(piece),
                                     piece.size(), &done);
      written += done;
      if (code != 0) return result_of(Operation::write, path_, code, position + written);
      if (done != piece.size()) break;  // the Writer then fails with EIO
    }
    return {};
  }

  Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written) override {
    if (calls_->write_at == nullptr) return Sink::write_at(position, bytes, written);
    written = 0;
    const int code =
        calls_->write_at(calls_->context, position, never_null(bytes), bytes.size(), &written);
    return result_of(Operation::write, path_, code, position + written);
  }

  Status seek(std::uint64_t position) override {
    if (calls_->seek == nullptr) return Sink::seek(position);
    return result_of(Operation::seek, path_, calls_->seek(calls_->context, position), position);
  }

  Status sync() override {
    const int code = calls_->sync == nullptr ? ENOTSUP : calls_->sync(calls_->context);
    return result_of(Operation::sync, path_, code);
  }

  bool is_staged() override { return calls_->publish != nullptr; }

  Status publish() override {
    if (calls_->publish == nullptr) return {};
    return result_of(Operation::replace, path_, calls_->publish(calls_->context));
  }

  Status close() override {
    if (calls_->close == nullptr) return {};
    return result_of(Operation::close, path_, calls_->close(calls_->context));
  }

  bool wants_lines() override { return calls_->wants_lines; }
  bool allows_write_behind() override { return calls_->allows_write_behind; }
  std::uint64_t start_position() override { return calls_->start_position; }
  const std::string& path() const override { return path_; }

 private:
  const Released<sluice_sink> calls_;
  const std::string path_;
};

class CallbackSource final : public Source {
 public:
  CallbackSource(Released<sluice_source>&& calls) : calls_(std::move(calls)), path_(calls_->name) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    got = 0;
    const int code = calls_->read(calls_->context, position, into.data(), into.size(), &got);
    return result_of(Operation::read, path_, code, position);
  }

  Status seek(std::uint64_t position) override {
    if (calls_->seek == nullptr) return Source::seek(position);
    return result_of(Operation::seek, path_, calls_->seek(calls_->context, position), position);
  }

  Status size(std::uint64_t& bytes) override {
    if (calls_->size == nullptr) return Source::size(bytes);
    return result_of(Operation::stat, path_, calls_->size(calls_->context, &bytes));
  }

  bool reads_anywhere() override { return calls_->reads_anywhere; }

  Status close() override {
    if (calls_->close == nullptr) return {};
    return result_of(Operation::close, path_, calls_->close(calls_->context));
  }

  const std::string& path() const override { return path_; }

 private:
  const Released<sluice_source> calls_;
  const std::string path_;
};

// `work` is the call that must be set: write or read.
template <typename Made, typename Interface, typename Calls, typename Work>
Status make(unsigned window, const Calls* calls, Work work, std::string_view initialiser,
            std::unique_ptr<Interface>& made) noexcept {
  if (calls == nullptr) return is_null(Operation::open, "the sluice_sink or sluice_source is NULL");
  Status status = check_window("(callbacks)", window);
  if (status.ok()) status = check_struct("(callbacks)", calls->bytes, sizeof *calls, initialiser);
  if (!status.ok()) return status;
  Released<Calls> released(*calls);
  if (calls->name == nullptr || calls->*work == nullptr) {
    return is_null(Operation::open, "the name, write or read of the struct is NULL");
  }
  return guarded(calls->name, [&] {
    made = std::make_unique<Made>(std::move(released));
    return Status();
  });
}

}  // namespace

Status make_sink(unsigned window, const sluice_sink* calls, std::unique_ptr<Sink>& sink) noexcept {
  return make<CallbackSink>(window, calls, &sluice_sink::write, "SLUICE_SINK_INIT", sink);
}

Status make_source(unsigned window, const sluice_source* calls,
                   std::unique_ptr<Source>& source) noexcept {
  return make<CallbackSource>(window, calls, &sluice_source::read, "SLUICE_SOURCE_INIT", source);
}

}  // namespace sluice::c
