// FakeStore: an object store in memory, with the habits of Arrow's streams and with faults.
//
// An upload behaves like Arrow's stream on S3: parts are taken without a limit, a failed part shows
// at the next flush, Close() gives the upload up after a failure, CloseAsync() leaves it open if a
// part has failed, and the destructor publishes.
#pragma once

#include <arrow/buffer.h>
#include <arrow/filesystem/mockfs.h>
#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/util/future.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "object/file_system.h"

namespace sluice::testing {

struct StoreFaults {
  std::uint64_t refused_byte = UINT64_MAX;  // a write with this byte fails at once
  int failing_part = -1;                    // this part fails, counted from 0; a flush says so
  bool last_part_fails = false;
  bool completing_fails = false;
  bool completing_is_repeated = false;  // of which `watch` must know
  bool object_gets_lost = false;        // although all requests succeed
  int hiding_answers = 0;               // so many times the store says that it has no object
  bool answers_fail = false;            // after the hidden ones
  bool aborting_fails = false;
  bool is_unreachable = false;      // for parts and aborts
  bool aborting_publishes = false;  // as with Arrow's stream on gs://
  bool memory_runs_out = false;     // in a write
  std::atomic<bool> flush_throws = false;
  bool cannot_move = false;  // as with Arrow on an account of Azure without folders
  bool losing_answer_to_move = false;
  bool cannot_remove = false;
  bool aborting_was_done = false;
  std::atomic<bool> parts_hang = false;  // a flush waits until this is false
};

struct StoreCounts {
  std::atomic<int> unfinished_uploads = 0;
  std::size_t queued_bytes = 0;  // since the last flush
  std::size_t max_queued_bytes = 0;
  std::uint64_t taken_bytes = 0;
  int writes = 0;
  std::atomic<int> ended_flushes = 0;
  int repeatable_aborts = 0;  // which `watch` would have repeated
};

class FakeStore : public arrow::fs::internal::MockFileSystem {
 public:
  using MockFileSystem::OpenOutputStream;

  FakeStore() : MockFileSystem(std::chrono::system_clock::now()) {
    static_cast<void>(CreateDir("bucket", true));
  }

  arrow::Result<std::shared_ptr<arrow::io::OutputStream>> OpenOutputStream(
      const std::string& path,
      const std::shared_ptr<const arrow::KeyValueMetadata>& metadata) override;

  arrow::Status Move(const std::string& from, const std::string& to) override {
    if (faults.cannot_move) return arrow::Status::NotImplemented("Move");
    ARROW_RETURN_NOT_OK(MockFileSystem::Move(from, to));
    return faults.losing_answer_to_move ? arrow::Status::IOError("no answer") : arrow::Status::OK();
  }

  arrow::Status DeleteFile(const std::string& path) override {
    if (faults.cannot_remove) return arrow::Status::IOError("NETWORK_CONNECTION");
    return MockFileSystem::DeleteFile(path);
  }

  using MockFileSystem::GetFileInfo;
  arrow::Result<arrow::fs::FileInfo> GetFileInfo(const std::string& path) override {
    if (faults.hiding_answers == 0) {
      if (faults.answers_fail) return arrow::Status::IOError("no answer");
      return MockFileSystem::GetFileInfo(path);
    }
    --faults.hiding_answers;
    return arrow::fs::FileInfo(path, arrow::fs::FileType::NotFound);
  }

  // Puts an object into the bucket at once. (CreateFile() would use OpenOutputStream() below.)
  arrow::Status put(const std::string& path, std::string_view bytes) {
    ARROW_ASSIGN_OR_RAISE(auto stream, MockFileSystem::OpenOutputStream(path, nullptr));
    ARROW_RETURN_NOT_OK(stream->Write(bytes.data(), static_cast<std::int64_t>(bytes.size())));
    return stream->Close();
  }

  // What the bucket has: "name=content" of each object.
  std::string listed() {
    std::string all;
    for (const auto& file : AllFiles()) {
      all += file.full_path.substr(7) + "=" + std::string(file.data) + ";";
    }
    return all;
  }

  object::Place place(object::Staging staging, std::uint64_t max_object_bytes = UINT64_MAX) {
    return {std::shared_ptr<arrow::fs::FileSystem>(std::shared_ptr<void>(), this),
            "bucket/object",
            "fake://bucket/object",
            staging,
            max_object_bytes,
            watch,
            false,
            longest_wait,
            least_write_bytes,
            is_moved_in_steps};
  }

  StoreFaults faults;
  StoreCounts counts;
  std::shared_ptr<object::RequestWatch> watch;
  std::chrono::milliseconds longest_wait{300'000};
  std::weak_ptr<arrow::io::OutputStream> latest_upload;
  std::size_t least_write_bytes = 0;
  bool is_moved_in_steps = false;
  bool keeps_bytes = true;  // false: uploads forget what they are sent
};

class FakeUpload final : public arrow::io::OutputStream {
 public:
  FakeUpload(FakeStore& store, std::string path) : store_(store), path_(std::move(path)) {
    ++store_.counts.unfinished_uploads;
  }
  ~FakeUpload() override { static_cast<void>(Close()); }

  arrow::Status Write(const void* data, std::int64_t bytes) override {
    if (closed_) return arrow::Status::Invalid("Operation on closed stream");
    if (store_.faults.memory_runs_out) throw std::bad_alloc();
    if (store_.faults.is_unreachable) return no_answer_to("UploadPart");
    StoreCounts& counts = store_.counts;
    const auto count = static_cast<std::size_t>(bytes);
    if (counts.taken_bytes + count > store_.faults.refused_byte) {
      return arrow::Status::IOError("AWS Error ACCESS_DENIED: no more\nof this");
    }
    ++counts.writes;
    counts.taken_bytes += count;
    counts.queued_bytes += count;
    counts.max_queued_bytes = std::max(counts.max_queued_bytes, counts.queued_bytes);
    if (store_.keeps_bytes) bytes_.append(static_cast<const char*>(data), count);
    return arrow::Status::OK();
  }

  arrow::Status Flush() override {
    store_.faults.parts_hang.wait(true);
    store_.counts.queued_bytes = 0;
    const std::uint64_t parts = store_.counts.taken_bytes / object::part_bytes;
    arrow::Status status = has_failed(parts) ? failed() : arrow::Status::OK();
    if (closed_) status = arrow::Status::Invalid("Operation on closed stream");
    const bool throws = store_.faults.flush_throws;
    ++store_.counts.ended_flushes;  // a test may end now
    if (throws) throw std::runtime_error("the library of the store");
    return status;
  }

  arrow::Future<> CloseAsync() override {
    if (closed_) return arrow::Status::OK();
    if (!Flush().ok()) return failed();
    if (store_.faults.last_part_fails) return last_part_failed();
    return finish();
  }

  arrow::Status Close() override {
    if (closed_) return arrow::Status::OK();
    if (!Flush().ok() || store_.faults.last_part_fails) {
      closed_ = true;
      return last_part_failed();
    }
    return finish();
  }

  arrow::Status Abort() override {
    if (closed_) return arrow::Status::OK();
    if (store_.watch && store_.watch->ShouldRetry({0, "", "", true}, 0)) {
      ++store_.counts.repeatable_aborts;
    }
    if (store_.faults.aborting_was_done) {
      closed_ = true;
      return arrow::Status::IOError(
          "AWS Error NO_SUCH_UPLOAD during AbortMultipartUpload operation");
    }
    if (store_.faults.aborting_fails) return arrow::Status::IOError("NETWORK_CONNECTION");
    if (store_.faults.is_unreachable) return no_answer_to("AbortMultipartUpload");
    if (store_.faults.aborting_publishes) return Close();
    closed_ = true;
    --store_.counts.unfinished_uploads;
    return arrow::Status::OK();
  }

  arrow::Result<std::int64_t> Tell() const override { return 0; }
  bool closed() const override { return closed_; }

 private:
  bool has_failed(std::uint64_t parts) const {
    const int failing = store_.faults.failing_part;
    return failing >= 0 && parts > static_cast<std::uint64_t>(failing);
  }

  static arrow::Status failed() { return arrow::Status::IOError("AWS Error SLOW_DOWN: try later"); }

  static arrow::Status no_answer_to(const std::string& request) {
    return arrow::Status::IOError("AWS Error NETWORK_CONNECTION during " + request +
                                  " operation: curlCode: 28, Timeout was reached");
  }

  arrow::Status last_part_failed() const {
    if (store_.watch) {
      store_.watch->ShouldRetry({0, "", "", true}, 0);
      store_.watch->ShouldRetry({0, "", "", false}, 1);
    }
    return arrow::Status::IOError("AWS Error SLOW_DOWN during UploadPart operation: try later");
  }

  arrow::Status finish() {
    if (store_.faults.completing_is_repeated) {
      store_.watch->ShouldRetry({0, "", "", true}, 0);
    }
    if (store_.faults.completing_fails && store_.watch) {
      store_.watch->ShouldRetry({0, "", "", false}, 0);
    }
    closed_ = true;
    if (store_.faults.completing_fails) return failed();
    --store_.counts.unfinished_uploads;
    if (store_.faults.object_gets_lost) return store_.put(path_, "");
    return store_.put(path_, bytes_);
  }

  FakeStore& store_;
  const std::string path_;
  std::string bytes_;
  bool closed_ = false;
};

inline arrow::Result<std::shared_ptr<arrow::io::OutputStream>> FakeStore::OpenOutputStream(
    const std::string& path, const std::shared_ptr<const arrow::KeyValueMetadata>& /*metadata*/) {
  auto upload = std::make_shared<FakeUpload>(*this, path);
  latest_upload = upload;
  return upload;
}

}  // namespace sluice::testing
