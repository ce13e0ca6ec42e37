// A Writer and a string are given the same bytes, in whatever way and to whatever target.
#include <memory>
#include <string>
#include <utility>

#include "input.h"
#include "sluice/writer.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::fuzz {
namespace {

const std::string before = "what was there";

class Run {
 public:
  explicit Run(Input& input) : input_(input) {
    constexpr CreateMode modes[] = {CreateMode::truncate, CreateMode::append,
                                    CreateMode::replace_atomically};
    constexpr WriteBehind kinds[] = {WriteBehind::off, WriteBehind::on, WriteBehind::automatic};
    constexpr Durability durabilities[] = {Durability::none, Durability::on_close,
                                           Durability::every_flush, Durability::every_write};
    in_memory_ = input.below(4) == 0;
    options_.create = modes[input.below(3)];
    options_.write_behind = kinds[input.below(3)];
    options_.durability = in_memory_ ? Durability::none : durabilities[input.below(4)];
    options_.block_bytes = 1 + input.below(6000);
    options_.blocks_in_flight = 1 + input.below(4);
    options_.write_back_bytes = input.below(2) * 1000;
  }

  void run() {
    testing::make_file(path_, before);
    if (!in_memory_ && options_.create == CreateMode::append) expected_ = before;
    require(open().ok(), "a Writer opens");
    while (!input_.is_empty() && !ended_) operate();
    if (!ended_) close();
  }

 private:
  Status open() {
    return in_memory_ ? writer_.open(make_memory_sink(memory_), options_)
                      : writer_.open(path_, options_);
  }

  bool is_staged() const {
    return !in_memory_ && options_.create == CreateMode::replace_atomically;
  }

  void operate() {
    switch (input_.below(9)) {
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
      default: close();
    }
    require(writer_.position() == expected_.size(), "the position is that of the next byte");
  }

  void build(std::size_t reserved) {
    const MutableBytesView room = writer_.reserve(reserved);
    require(room.size() == reserved, "what fits a block can be reserved");
    const std::string bytes = offer(input_.below(reserved + 1));
    for (std::size_t i = 0; i < bytes.size(); ++i) room[i] = static_cast<std::byte>(bytes[i]);
    writer_.commit(bytes.size());
    require(writer_.status().ok(), "a commit is accepted");
  }

  void flush(FlushTo to) {
    require(writer_.flush(to).ok(), "a flush succeeds");
    expect_in_target(is_staged() ? before : expected_);
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
    expect_in_target(expected_);
  }

  void expect_in_target(const std::string& bytes) const {
    require((in_memory_ ? memory_ : testing::contents_of(path_)) == bytes,
            "the target has what was written");
  }

  std::string offer(std::size_t bytes) {
    std::string next = testing::pattern(expected_.size(), bytes);
    expected_ += next;
    return next;
  }

  Input& input_;
  static const testing::ScratchDirectory directory_;
  const std::string path_ = directory_.file("file");
  WriterOptions options_;
  bool in_memory_ = false;
  std::string memory_;
  Writer writer_;
  std::string expected_;
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
