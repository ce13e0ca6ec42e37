// A Writer and a string get the same bytes at the same positions, by any calls and with any target.
#include <cerrno>
#include <charconv>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "input.h"
#include "sluice/writer.h"
#include "testing/pattern.h"
#include "testing/placed_bytes.h"
#include "testing/scratch_directory.h"

namespace sluice::fuzz {
namespace {

const std::string before = "what was there";

// The text that std::to_chars makes of a number.
template <typename... Arguments>
std::string text_of(Arguments... arguments) {
  char text[400];
  const std::to_chars_result result = std::to_chars(text, std::end(text), arguments...);
  require(result.ec == std::errc(), "the text of a number fits");
  return {text, result.ptr};
}

class Run {
 public:
  explicit Run(Input& input) : input_(input) {
    constexpr CreateMode modes[] = {CreateMode::truncate, CreateMode::append,
                                    CreateMode::replace_atomically, CreateMode::existing};
    constexpr WriteBehind kinds[] = {WriteBehind::off, WriteBehind::on, WriteBehind::automatic};
    constexpr Durability durabilities[] = {Durability::none, Durability::on_close,
                                           Durability::every_flush, Durability::every_write};
    in_memory_ = input.below(4) == 0;
    options_.create = modes[input.below(4)];
    options_.write_behind = kinds[input.below(3)];
    options_.durability = in_memory_ ? Durability::none : durabilities[input.below(4)];
    options_.block_bytes = 1 + input.below(6000);
    options_.blocks_in_flight = 1 + input.below(4);
    options_.write_back_bytes = input.below(2) * 1000;
  }

  void run() {
    testing::make_file(path_, before);
    if (is(CreateMode::append)) expected_ = testing::PlacedBytes(before, before.size());
    if (is(CreateMode::existing)) expected_ = testing::PlacedBytes(before);
    require(open().ok(), "a Writer opens");
    while (!input_.is_empty() && !ended_) operate();
    if (!ended_) close();
  }

 private:
  Status open() {
    return in_memory_ ? writer_.open(make_memory_sink(memory_), options_)
                      : writer_.open(path_, options_);
  }

  bool is(CreateMode create) const { return !in_memory_ && options_.create == create; }
  bool is_staged() const { return is(CreateMode::replace_atomically); }
  bool has_positions() const { return !is(CreateMode::append); }

  // New operations go to the end, so that the corpus keeps its meaning.
  void operate() {
    switch (input_.below(16)) {
      case 0: require(writer_.put(offer(1)[0]), "put is accepted"); break;
      case 1: require(writer_.write(offer(input_.below(100))), "write is accepted"); break;
      case 2: require(writer_.write(offer(input_.below(20'000))), "write is accepted"); break;
      case 3: build(input_.below(options_.block_bytes + 1)); break;
      case 4: flush(FlushTo::os); break;
      case 5:
        if (!in_memory_) flush(FlushTo::storage);
        break;
      case 6: writer_ = Writer(std::move(writer_)); break;
      case 7: discard(); break;
      case 9: write_at(any_position(), input_.below(300)); break;
      case 10: write_value_at(any_position()); break;
      case 11: seek(any_position()); break;
      case 12: write_integer(); break;
      case 13: write_floating_point<double>(); break;
      case 14: write_floating_point<float>(); break;
      case 15: write_values(input_.below(100)); break;
      default: close();
    }
    require(writer_.position() == expected_.position(), "the position is that of the next byte");
  }

  void build(std::size_t reserved) {
    const MutableBytesView room = writer_.reserve(reserved);
    require(room.size() == reserved, "what fits a block can be reserved");
    const std::string bytes = offer(input_.below(reserved + 1));
    for (std::size_t i = 0; i < bytes.size(); ++i) room[i] = static_cast<std::byte>(bytes[i]);
    writer_.commit(bytes.size());
    require(writer_.status().ok(), "a commit is accepted");
  }

  // Some positions lie behind the end.
  std::uint64_t any_position() { return input_.below(expected_.bytes().size() + 100); }

  void write_at(std::uint64_t position, std::size_t count) {
    const std::string bytes = next(count);
    expected_.write_at(position, bytes);
    expect_patched(writer_.write_at(position, bytes));
  }

  void write_value_at(std::uint64_t position) {
    const std::string bytes = next(sizeof(std::uint32_t));
    std::uint32_t value;
    std::memcpy(&value, bytes.data(), sizeof value);
    expected_.write_at(position, bytes);
    expect_patched(writer_.write_value_at(position, value));
  }

  // Bytes in the block can be patched there, even if the target has no positions.
  void expect_patched(const Status& status) {
    require(status.ok() || (!has_positions() && status.code().value() == ESPIPE),
            "a patch needs positions");
    require(writer_.status().ok(), "a Writer without positions goes on");
    if (!status.ok()) expected_.take_back_patch();
  }

  void seek(std::uint64_t position) {
    const Status status = writer_.seek(position);
    require(status.code().value() == (has_positions() ? 0 : ESPIPE), "a seek needs positions");
    require(writer_.status().ok(), "a Writer without positions goes on");
    if (has_positions()) expected_.seek(position);
  }

  // The bits of a number. Bits behind the input's end are 0.
  template <typename T>
  T any_number() {
    const std::string_view bytes = input_.take(sizeof(T));
    T number = 0;
    std::memcpy(&number, bytes.data(), bytes.size());
    return number;
  }

  void write_integer() {
    const std::size_t base = input_.below(36);  // 0: no base is given
    switch (input_.below(4)) {
      case 0: return write_integer<std::uint64_t>(base);
      case 1: return write_integer<std::int64_t>(base);
      case 2: return write_integer<std::int8_t>(base);
      default: return write_integer<unsigned>(base);
    }
  }

  template <typename T>
  void write_integer(std::size_t digits) {
    const T number = any_number<T>();
    const int base = digits == 0 ? 10 : static_cast<int>(digits) + 1;
    expected_.write(text_of(number, base));
    require(digits == 0 ? writer_.write_number(number) : writer_.write_number(number, base),
            "an integer is accepted");
  }

  template <typename T>
  void write_floating_point() {
    constexpr std::chars_format formats[] = {std::chars_format::general, std::chars_format::fixed,
                                             std::chars_format::scientific, std::chars_format::hex};
    const std::size_t way = input_.below(9);
    const std::chars_format format = formats[way % 4];
    const T number = any_number<T>();
    if (way == 8) {
      expected_.write(text_of(number));
      require(writer_.write_number(number), "a number is accepted");
    } else if (way >= 4) {
      expected_.write(text_of(number, format));
      require(writer_.write_number(number, format), "a number is accepted");
    } else {
      const int precision = static_cast<int>(input_.below(30));
      expected_.write(text_of(number, format, precision));
      require(writer_.write_number(number, format, precision), "a number is accepted");
    }
  }

  void write_values(std::size_t count) {
    const std::string bytes = offer(count * sizeof(std::uint16_t));
    std::vector<std::uint16_t> values(count);
    if (count != 0) std::memcpy(values.data(), bytes.data(), bytes.size());
    require(writer_.write_values(values), "values are accepted");
  }

  void flush(FlushTo to) {
    require(writer_.flush(to).ok(), "a flush succeeds");
    expect_in_target(is_staged() ? before : expected_.bytes());
  }

  void discard() {
    const bool discarded = writer_.discard().ok();
    require(discarded == is_staged(), "only what is staged can be discarded");
    if (!discarded) return;
    ended_ = true;
    expect_in_target(before);
  }

  void close() {
    require(writer_.close().ok() && writer_.close().ok(), "close succeeds");
    ended_ = true;
    expect_in_target(expected_.bytes());
  }

  void expect_in_target(const std::string& bytes) const {
    require((in_memory_ ? memory_ : testing::contents_of(path_)) == bytes,
            "the target has what was written");
  }

  std::string next(std::size_t bytes) {
    made_ += bytes;
    return testing::pattern(made_ - bytes, bytes);
  }

  std::string offer(std::size_t bytes) {
    std::string offered = next(bytes);
    expected_.write(offered);
    return offered;
  }

  Input& input_;
  static const testing::ScratchDirectory directory_;
  const std::string path_ = directory_.file("file");
  WriterOptions options_;
  bool in_memory_ = false;
  std::string memory_;
  Writer writer_;
  testing::PlacedBytes expected_;
  std::uint64_t made_ = 0;
  bool ended_ = false;
};

const testing::ScratchDirectory Run::directory_;

}  // namespace
}  // namespace sluice::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  sluice::fuzz::Input input(bytes, count);
  sluice::fuzz::Run(input).run();
  return 0;
}
