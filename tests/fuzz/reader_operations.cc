// A Reader over a Source that gives a few bytes at a time, and the same bytes in a string.
#include <cerrno>
#include <memory>
#include <string>
#include <string_view>

#include "input.h"
#include "sluice/reader.h"
#include "testing/faulty_source.h"

namespace sluice::fuzz {
namespace {

class Run {
 public:
  explicit Run(Input& input) {
    options_.block_bytes = 8 + input.below(120);
    if (input.below(4) == 0) options_.max_line_bytes = 1 + input.below(40);
    script_->max_bytes_per_read = 1 + input.below(200);
    operations_ = std::string(input.take(input.below(64)));
    script_->bytes = std::string(input.rest());
    bytes_ = script_->bytes;
  }

  void run() {
    const Status opened = reader_.open(std::make_unique<testing::FaultySource>(script_), options_);
    require(opened.ok(), "a Reader opens");
    for (const char operation : operations_) {
      operate(static_cast<unsigned char>(operation));
      require(reader_.position() == position_, "the position is that of the next byte");
    }
    const bool closed = reader_.close().ok();
    require(closed == !failed_, "close tells the first failure");
    require(!script_->out_of_turn, "the Source is read in order");
  }

 private:
  void operate(unsigned choice) {
    switch (choice % 5) {
      case 0: get(); break;
      case 1: read(choice); break;
      case 2: next_line(CarriageReturn::keep); break;
      case 3: next_line(CarriageReturn::strip); break;
      default:
        if (choice > 200) {
          records();
        } else {
          lines(choice / 16);
        }
    }
    require(reader_.status().ok() == !failed_, "the status is that of the model");
    if (!failed_) return;
    require(reader_.status().code().value() == code_, "the failure is the first one");
    require(reader_.status().offset() == offset_, "the failure names where it is");
  }

  std::string_view rest() const { return std::string_view(bytes_).substr(position_); }

  void get() {
    const int expected = rest().empty() ? Reader::end : static_cast<unsigned char>(rest()[0]);
    const int byte = reader_.get();
    require(byte == expected || (failed_ && byte == Reader::end), "get gives the next byte");
    if (byte != Reader::end) ++position_;
  }

  void read(std::size_t bytes) {
    std::string into(bytes, '\0');
    into.resize(reader_.read(into.data(), into.size()));
    // After a failure the bytes that had been fetched before it may still be read.
    const std::size_t least = failed_ ? 0 : std::min(bytes, rest().size());
    require(into.size() >= least && rest().starts_with(into), "read gives what comes next");
    position_ += into.size();
  }

  // The next line; false if there is none.
  bool expect_line(std::string_view& line, CarriageReturn carriage_return) {
    if (failed_ || rest().empty()) return false;
    line = rest().substr(0, rest().find('\n'));
    if (line.size() > options_.max_line_bytes) return fail(EMSGSIZE);
    const bool has_newline = line.size() < rest().size();
    position_ += line.size() + (has_newline ? 1 : 0);
    if (has_newline && carriage_return == CarriageReturn::strip && line.ends_with('\r'))
      line.remove_suffix(1);
    return true;
  }

  void next_line(CarriageReturn carriage_return) {
    std::string_view expected, line;
    const bool there = expect_line(expected, carriage_return);
    require(reader_.next_line(line, carriage_return) == there, "there is a line, or none");
    if (there) require(line == expected, "the line is the next one");
  }

  void lines(std::size_t most) {
    for (const std::string_view line : reader_.lines()) {
      std::string_view expected;
      require(expect_line(expected, CarriageReturn::keep), "there is a line");
      require(line == expected, "the line is the next one");
      if (most-- == 0) return;
    }
    std::string_view none;
    require(!expect_line(none, CarriageReturn::keep), "lines end at the end");
  }

  void records() {
    if (failed_) return;
    std::string found;
    for (const std::span<const std::uint16_t> some : reader_.records<std::uint16_t>()) {
      found.append(reinterpret_cast<const char*>(some.data()), some.size_bytes());
    }
    const std::size_t whole = rest().size() / 2 * 2;
    require(found == rest().substr(0, whole), "records are the bytes");
    const bool partial = rest().size() != whole;
    position_ += whole;
    if (!partial) return;
    fail(EBADMSG);
  }

  // At the present position; a false for those who return one.
  bool fail(int code) {
    failed_ = true;
    code_ = code;
    offset_ = position_;
    return false;
  }

  ReaderOptions options_;
  std::shared_ptr<testing::SourceScript> script_ = std::make_shared<testing::SourceScript>();
  std::string operations_;
  std::string bytes_;
  Reader reader_;
  std::size_t position_ = 0;
  bool failed_ = false;
  int code_ = 0;  // of the failure
  std::size_t offset_ = 0;
};

}  // namespace
}  // namespace sluice::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  sluice::fuzz::Input input(bytes, count);
  sluice::fuzz::Run(input).run();
  return 0;
}
