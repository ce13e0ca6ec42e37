// A Reader over a Source that gives a few bytes at a time, compared with the same bytes in a
// string.
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include "input.h"
#include "sluice/reader.h"
#include "testing/faulty_source.h"

namespace sluice::fuzz {
namespace {

constexpr std::string_view whitespace = " \t\n\v\f\r";

class Run {
 public:
  explicit Run(Input& input) {
    options_.block_bytes = 8 + input.below(120);
    const std::size_t choices = input.below(64);
    if (choices % 4 == 0) options_.max_line_bytes = 1 + input.below(40);
    script_->has_positions = choices / 4 % 2 != 0;
    script_->reads_anywhere = script_->has_positions && choices / 32 != 0;
    if (choices % 3 == 0) script_->bypass_bytes = options_.block_bytes / 4;
    script_->max_bytes_per_read = 1 + input.below(200);
    operations_ = std::string(input.take(input.below(256)));
    script_->bytes = std::string(input.rest());
    bytes_ = script_->bytes;
    // The sizes: unknown, too small, right, too large.
    const std::uint64_t sizes[] = {UINT64_MAX, bytes_.size() / 2, bytes_.size(), bytes_.size() + 9};
    script_->size = sizes[choices / 8 % 4];
  }

  void run() {
    const Status opened = reader_.open(std::make_unique<testing::FaultySource>(script_), options_);
    require(opened.ok(), "a Reader opens");
    Input operations(reinterpret_cast<const std::uint8_t*>(operations_.data()), operations_.size());
    while (!operations.is_empty()) {
      operate(static_cast<unsigned>(operations.below(256)), operations);
      require(reader_.position() == position_, "the position is that of the next byte");
    }
    const bool closed = reader_.close().ok();
    require(closed == !failed_, "close tells the first failure");
    require(!script_->out_of_turn, "the Source is read in order");
  }

 private:
  void operate(unsigned choice, Input& more) {
    switch (choice % 16) {
      case 0: get(); break;
      case 1: read(choice); break;
      case 2: next_line(CarriageReturn::keep); break;
      case 3: next_line(CarriageReturn::strip); break;
      case 4:
        if (choice > 200) {
          records();
        } else {
          lines(choice / 16);
        }
        break;
      case 5: peek(choice); break;
      case 6: skip(more.below(1'000)); break;
      case 7: seek(more.below(bytes_.size() + 20)); break;
      case 8: size(); break;
      case 9: read_until(choice > 127 ? ',' : '\0'); break;
      case 10: read_value(); break;
      case 11: read_values(choice / 16); break;
      case 12:
        if (choice > 200) read_rest();
        break;
      case 13: next_integer(choice / 16, static_cast<int>(more.below(37))); break;
      case 14: next_floating_point(choice / 16); break;
      default: skip_bad_number(choice > 127 ? "," : whitespace);
    }
    require(reader_.status().ok() == !failed_, "the status is that of the model");
    if (!failed_) return;
    require(reader_.status().code().value() == code_, "the failure is the first one");
    require(reader_.status().offset() == offset_, "the failure names where it is");
  }

  std::string_view rest() const {
    return std::string_view(bytes_).substr(std::min(position_, bytes_.size()));
  }

  // The given bytes must be the next ones, and as many as were asked for. After a failure the
  // Reader gives none, because this Source never fails.
  void expect_next(std::string_view given, std::size_t asked) {
    const std::size_t least = failed_ ? 0 : std::min(asked, rest().size());
    require(given.size() >= least && rest().starts_with(given), "what is given comes next");
    require(!failed_ || given.empty(), "every call meets the failure");
  }

  void get() {
    const int byte = reader_.get();
    const char given = static_cast<char>(byte);
    expect_next({&given, byte == Reader::end ? 0u : 1u}, 1);
    if (byte != Reader::end) ++position_;
  }

  void read(std::size_t bytes) {
    std::string into(bytes, '\0');
    into.resize(reader_.read(into.data(), into.size()));
    expect_next(into, bytes);
    position_ += into.size();
  }

  void peek(std::size_t bytes) {
    const BytesView seen = reader_.peek(bytes);
    expect_next({reinterpret_cast<const char*>(seen.data()), seen.size()}, bytes);
  }

  void skip(std::size_t bytes) {
    const std::uint64_t passed = reader_.skip(bytes);
    require(passed <= bytes, "no more is passed than was asked for");
    expect_next(rest().substr(0, passed), bytes);
    position_ += passed;
  }

  void seek(std::size_t position) {
    const Status status = reader_.seek(position);
    if (failed_) return require(status.code().value() == code_, "a seek gives the failure");
    require(status.ok() || (!script_->has_positions && status.code().value() == ESPIPE),
            "a seek needs positions");
    if (status.ok()) position_ = position;
  }

  void size() {
    std::uint64_t bytes = 0;
    const bool is_known = script_->size != UINT64_MAX;
    require(reader_.size(bytes).code().value() == (is_known ? 0 : ESPIPE), "a size is known");
    require(!is_known || bytes == script_->size, "the size is what the Source says");
  }

  // Finds the next part of the model. Returns false if there is none.
  bool expect_part(std::string_view& part, char delimiter) {
    if (failed_ || rest().empty()) return false;
    part = rest().substr(0, rest().find(delimiter));
    if (part.size() > options_.max_line_bytes) return fail(EMSGSIZE, position_);
    position_ += part.size() + (part.size() < rest().size() ? 1 : 0);
    return true;
  }

  bool expect_line(std::string_view& line, CarriageReturn carriage_return) {
    const bool has_newline = rest().find('\n') != std::string_view::npos;
    if (!expect_part(line, '\n')) return false;
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

  void read_until(char delimiter) {
    std::string_view expected, part;
    const bool there = expect_part(expected, delimiter);
    require(reader_.read_until(delimiter, part) == there, "there is a part, or none");
    if (there) require(part == expected, "the part is the next one");
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
    std::string found;
    for (const std::span<const std::uint16_t> some : reader_.records<std::uint16_t>()) {
      found.append(reinterpret_cast<const char*>(some.data()), some.size_bytes());
    }
    if (failed_) return require(found.empty(), "there are no records after a failure");
    const std::size_t whole = rest().size() / 2 * 2;
    require(found == rest().substr(0, whole), "records are the bytes");
    const bool partial = rest().size() != whole;
    position_ += whole;
    if (partial) fail(EBADMSG, position_);
  }

  // `given` has the whole values that the Reader gave. The program asked for `asked` bytes.
  void expect_values(std::string_view given, std::size_t asked, std::size_t value_bytes) {
    if (failed_) return expect_next(given, 0);
    const std::size_t bytes = std::min(asked, rest().size());
    const std::size_t beyond = bytes % value_bytes;
    require(given == rest().substr(0, bytes - beyond), "values are the bytes");
    position_ += bytes;
    if (beyond != 0) fail(EBADMSG, position_ - beyond);
  }

  void read_value() {
    std::array<char, 3> value{};
    const bool found = reader_.read_value(value);
    expect_values({value.data(), found ? value.size() : 0}, value.size(), value.size());
  }

  void read_values(std::size_t count) {
    std::vector<std::uint32_t> values(count);
    const std::size_t found = reader_.read_values(values);
    expect_values({reinterpret_cast<const char*>(values.data()), found * sizeof values[0]},
                  count * sizeof values[0], sizeof values[0]);
  }

  void read_rest() {
    std::string out = "what it held";
    require(reader_.read_rest(out).ok() == !failed_, "read_rest gives the status");
    require(out == (failed_ ? std::string_view() : rest()), "the rest is all that is left");
    position_ += out.size();
  }

  // The low bit of `choice` decides whether `base` is used.
  void next_integer(unsigned choice, int base) {
    const bool is_base_given = choice % 2 != 0;
    const int used_base = is_base_given ? base + 1 : 10;
    const auto next = [&](auto& number) {
      return is_base_given ? reader_.next_number(number, used_base) : reader_.next_number(number);
    };
    if (used_base < 2 || used_base > 36) {
      std::uint64_t number = 0;
      require(!next(number), "a base is from 2 to 36");
      if (!failed_) fail(EINVAL, position_);
      return;
    }
    switch (choice / 2 % 4) {
      case 0: return next_number<std::int64_t>(next, used_base);
      case 1: return next_number<std::uint64_t>(next, used_base);
      case 2: return next_number<std::uint8_t>(next, used_base);
      default: return next_number<int>(next, used_base);
    }
  }

  void next_floating_point(unsigned choice) {
    constexpr std::chars_format formats[] = {std::chars_format::general, std::chars_format::fixed,
                                             std::chars_format::scientific, std::chars_format::hex};
    const std::chars_format format = formats[choice % 4];
    const auto next = [&](auto& number) { return reader_.next_number(number, format); };
    if (choice / 4 % 2 == 0) return next_number<double>(next, format);
    next_number<float>(next, format);
  }

  template <typename T>
  static bool is_same(T one, T other) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(one)) return std::isnan(other);
    }
    return one == other;
  }

  // In the scientific format, text without an exponent is no number. It may be too long as well,
  // with up to four bytes of which the Reader does not see whether they end an exponent.
  static std::size_t bytes_without_end(std::string_view text, std::chars_format form) {
    if (form != std::chars_format::scientific) return 0;
    return std::min(text.find_first_not_of("-.0123456789"), text.size()) + 4;
  }
  static std::size_t bytes_without_end(std::string_view, int) { return 0; }

  // The model is std::from_chars, applied to all remaining bytes.
  template <typename T, typename Next, typename Form>
  void next_number(Next next, Form form) {
    T expected = 7, number = 7;
    const bool found = next(number);
    if (failed_) return require(!found, "there is no number after a failure");
    position_ += std::min(rest().find_first_not_of(whitespace), rest().size());
    const std::string_view text = rest();
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), expected, form);
    const auto bytes = static_cast<std::size_t>(parsed.ptr - text.data());
    if (!found && reader_.status().code().value() == EMSGSIZE) {
      // Behind "nan(" the end of the number is not known yet.
      const bool may_be_nan = text.substr(0, 5).find('(') != std::string_view::npos;
      require(
          std::max(bytes, bytes_without_end(text, form)) > options_.max_line_bytes || may_be_nan,
          "a number that is too long is long");
      fail(EMSGSIZE, position_);
      return;
    }
    require(found == (parsed.ec == std::errc()), "there is a number, or none");
    require(is_same(number, expected), "the number is the next one");
    if (found) position_ += bytes;
    if (found || text.empty()) return;
    is_bad_number_ = true;
    fail(parsed.ec == std::errc::result_out_of_range ? ERANGE : EBADMSG, position_);
  }

  void skip_bad_number(std::string_view delimiters) {
    std::string_view text;
    const bool skipped = reader_.skip_bad_number(text, delimiters);
    if (!is_bad_number_) return require(!skipped, "there is no bad number");
    is_bad_number_ = failed_ = false;
    const std::string_view expected = rest().substr(0, rest().find_first_of(delimiters, 1));
    if (expected.size() > options_.max_line_bytes) {
      require(!skipped, "a bad number may not be longer than a line");
      fail(EMSGSIZE, position_);
      return;
    }
    require(skipped && text == expected, "the bad number is what comes next");
    position_ += text.size();
  }

  // Notes the failure, and returns false for the caller to return.
  bool fail(int code, std::size_t offset) {
    failed_ = true;
    code_ = code;
    offset_ = offset;
    return false;
  }

  ReaderOptions options_;
  std::shared_ptr<testing::SourceScript> script_ = std::make_shared<testing::SourceScript>();
  std::string operations_;
  std::string bytes_;
  Reader reader_;
  std::size_t position_ = 0;
  bool failed_ = false;
  bool is_bad_number_ = false;  // the failure is a bad number; skip_bad_number() passes it
  int code_ = 0;                // the code of the failure
  std::size_t offset_ = 0;
};

}  // namespace
}  // namespace sluice::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  sluice::fuzz::Input input(bytes, count);
  sluice::fuzz::Run(input).run();
  return 0;
}
