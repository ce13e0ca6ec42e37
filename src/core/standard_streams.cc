#include "sluice/standard_streams.h"

#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "backend/standard_sink.h"
#include "os/guarded.h"

namespace sluice {

// A friend of Writer: the refusal that it finds is not yet given to the program.
class StandardStreams {
 public:
  static Writer writer(int descriptor, std::string_view name, Lines lines,
                       const WriterOptions& options);
};

namespace {

// The Sink of a stream that cannot be attached. The Writer must be open and fail, because only a
// Writer that was opened reports its failure to the lost-error handler.
class RefusingSink final : public Sink {
 public:
  explicit RefusingSink(Status refusal) : refusal_(std::move(refusal)), path_(refusal_.path()) {}

  Status write(std::uint64_t, std::span<const BytesView>, std::size_t& written) override {
    written = 0;
    return refusal_;
  }
  Status sync() override { return refusal_; }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  const Status refusal_;
  const std::string path_;
};

class RefusingSource final : public Source {
 public:
  explicit RefusingSource(Status refusal) : refusal_(std::move(refusal)), path_(refusal_.path()) {}

  Status read(std::uint64_t, MutableBytesView, std::size_t& got) override {
    got = 0;
    return refusal_;
  }
  Status size(std::uint64_t&) override { return refusal_; }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  const Status refusal_;
  const std::string path_;
};

// Returns null if there is no memory. The open call that gets the null pointer then fails with
// ENOMEM.
template <typename Refusing>
std::unique_ptr<Refusing> refusing(const Status& refusal) {
  return os::guarded([&] { return std::make_unique<Refusing>(refusal); },
                     [] { return std::unique_ptr<Refusing>(); });
}

// Guards the copy of the name: a long name needs memory, and there may be none.
template <typename Open>
Status opened(std::string_view name, Open open) {
  return os::guarded_status(name, [&] { return open(std::string(name)); });
}

}  // namespace

Writer StandardStreams::writer(int descriptor, std::string_view name, Lines lines,
                               const WriterOptions& options) {
  std::unique_ptr<Sink> sink;
  const Status status = opened(name, [&](const std::string& text) {
    return open_standard_sink(descriptor, text, lines, options, sink);
  });
  Writer writer;
  if (status.ok()) {
    static_cast<void>(writer.open(std::move(sink), options));
  } else if (writer.open(refusing<RefusingSink>(status)).ok()) {
    static_cast<void>(writer.flush_untold(FlushTo::storage));  // gets the refusal, and keeps it
  }
  return writer;
}

Writer standard_output(const WriterOptions& options) {
  return StandardStreams::writer(1, "standard output", Lines::on_a_terminal, options);
}

Writer standard_error(const WriterOptions& options) {
  return StandardStreams::writer(2, "standard error", Lines::always, options);
}

Reader standard_input(const ReaderOptions& options) {
  constexpr std::string_view name = "standard input";
  std::unique_ptr<Source> source;
  const Status status = opened(
      name, [&](const std::string& text) { return open_descriptor_source(0, text, source); });
  Reader reader;
  Status opened_status = status.ok() ? reader.open(std::move(source), options) : status;
  if (!opened_status.ok() && reader.open(refusing<RefusingSource>(opened_status)).ok()) {
    reader.peek(1);  // gets the refusal, and keeps it
  }
  return reader;
}

}  // namespace sluice
