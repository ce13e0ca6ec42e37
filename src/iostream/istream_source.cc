#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "iostream/succeeds.h"
#include "sluice/iostream.h"

namespace sluice {
namespace {

class IStreamSource final : public Source {
 public:
  IStreamSource(std::istream& source, const std::string& name) : source_(source), name_(name) {
    succeeds([&] { return (begin_ = source_.tellg()) >= 0; });
  }

  // Waits for one byte, and takes all bytes that are there then.
  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    got = 0;
    if (is_beyond_end_) return {};
    std::streamsize taken = -1;
    succeeds([&] {
      const auto count = static_cast<std::streamsize>(into.size());
      take(reinterpret_cast<char*>(into.data()), count, taken);
      return true;
    });
    if (taken < 0) {
      succeeds([&] { return source_.setstate(std::ios_base::badbit), true; });
      return Status::failure(Operation::read, name_, EIO, position,
                             "the std::istream cannot be read");
    }
    got = static_cast<std::size_t>(taken);
    return {};
  }

  Status seek(std::uint64_t position) override {
    std::streamoff end = -1;
    if (begin_ < 0 || !finds_end(end)) {
      return Status::failure(Operation::seek, name_, ESPIPE, position);
    }
    const auto bytes = static_cast<std::uint64_t>(end - begin_);
    const auto to = begin_ + static_cast<std::streamoff>(std::min(position, bytes));
    is_beyond_end_ = position > bytes;
    if (goes_to(to)) return {};
    return Status::failure(Operation::seek, name_, EIO, position);
  }

  Status size(std::uint64_t& bytes) override {
    std::streamoff here = -1;
    std::streamoff end = -1;
    const auto found = [&] { return (here = tell()) >= 0; };
    if (begin_ < 0 || !succeeds(found) || !finds_end(end)) {
      return Status::failure(Operation::stat, name_, ESPIPE);
    }
    if (!goes_to(here)) return Status::failure(Operation::stat, name_, EIO);
    bytes = static_cast<std::uint64_t>(end - begin_);
    return {};
  }

  Status close() override { return {}; }
  const std::string& path() const override { return name_; }

 private:
  // Sets `taken` to 0 at the end, and leaves it as it is if the stream is not usable. Exceptions of
  // the stream itself, which come after `taken` is set, have no effect then.
  void take(char* into, std::streamsize count, std::streamsize& taken) {
    if (source_.eof() && !source_.bad()) {
      taken = 0;
      return;
    }
    const std::istream::sentry ready(source_, true);
    if (!ready) return;
    std::streambuf& buffer = *source_.rdbuf();
    using Traits = std::istream::traits_type;
    if (Traits::eq_int_type(buffer.sgetc(), Traits::eof())) {
      taken = 0;
      source_.setstate(std::ios_base::eofbit);
      return;
    }
    const std::streamsize ready_bytes = std::max<std::streamsize>(buffer.in_avail(), 1);
    taken = buffer.sgetn(into, std::min(ready_bytes, count));
  }

  std::streamoff tell() {
    return source_.rdbuf()->pubseekoff(0, std::ios_base::cur, std::ios_base::in);
  }

  bool finds_end(std::streamoff& end) {
    return succeeds([&] {
      end = source_.rdbuf()->pubseekoff(0, std::ios_base::end, std::ios_base::in);
      return end >= begin_;
    });
  }

  bool goes_to(std::streamoff position) {
    return succeeds([&] {
      source_.clear(source_.rdstate() & ~std::ios_base::eofbit);
      return source_.rdbuf()->pubseekpos(position, std::ios_base::in) == position;
    });
  }

  std::istream& source_;
  const std::string name_;
  std::streamoff begin_ = -1;  // -1 if the stream has no positions
  bool is_beyond_end_ = false;
};

}  // namespace

std::unique_ptr<Source> make_istream_source(std::istream& source, const std::string& name) {
  std::unique_ptr<Source> made;
  succeeds([&] {
    made = std::make_unique<IStreamSource>(source, name);
    return true;
  });
  return made;
}

}  // namespace sluice
