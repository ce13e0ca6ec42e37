#include "bench/experiments/pieces/sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "sluice/files.h"

namespace sluice::bench {
namespace {

constexpr std::uint64_t largest_size = std::uint64_t{1} << 30;
constexpr std::uint64_t largest_total = std::uint64_t{1} << 50;
constexpr std::uint64_t max_operations = std::uint64_t{1} << 50;

// Takes a whole number from the front of `text`, and the blanks before it.
// Returns false if there is none.
bool take_number(std::string_view& text, std::uint64_t& number) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

std::string_view without_blanks_at_the_end(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

// Parses the line into `writes`. Returns the mistake, or "" if there is none.
std::string parse_writes(std::string_view line, EqualWrites& writes) {
  std::string_view rest = line;
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
  const bool has_bytes = take_number(rest, bytes);
  const bool separated = rest.starts_with(' ') || rest.starts_with('\t');
  if (!has_bytes || !separated || !take_number(rest, count) || !rest.empty()) {
    constexpr std::size_t shown = 40;
    return fmt::format("'{}' is not SIZE COUNT, two whole numbers such as '4096 12'",
                       line.substr(0, shown));
  }
  if (bytes > largest_size) {
    return fmt::format("a size of {} is more than {}, the largest allowed", bytes, largest_size);
  }
  if (count == 0) return "a count of 0 means no write: leave the line out";
  writes = {static_cast<std::size_t>(bytes), count};
  return "";
}

}  // namespace

std::uint64_t SizeSequence::bytes() const {
  std::uint64_t total = 0;
  for (const EqualWrites& writes : groups) total += writes.bytes * writes.count;
  return total * repeats;
}

std::uint64_t SizeSequence::operations() const {
  std::uint64_t total = 0;
  for (const EqualWrites& writes : groups) total += writes.count;
  return total * repeats;
}

std::size_t SizeSequence::largest() const {
  std::size_t largest = 0;
  for (const EqualWrites& writes : groups) largest = std::max(largest, writes.bytes);
  return largest;
}

void SizeSequence::repeat_to(std::uint64_t wanted) {
  repeats = 1;
  const std::uint64_t once = std::max<std::uint64_t>(bytes(), 1);
  repeats = std::max<std::uint64_t>((wanted + once - 1) / once, 1);
}

SizeSequence read_size_sequence(const std::string& path) {
  std::string text;
  read_file(path, text).throw_if_error();
  std::uint64_t line_number = 0;
  const auto refuse = [&](const std::string& reason) {
    throw std::runtime_error(fmt::format("replay {} line {}: {}", path, line_number, reason));
  };
  SizeSequence sequence;
  std::uint64_t total = 0;
  std::uint64_t operations = 0;
  for (std::string_view rest = text; !rest.empty();) {
    ++line_number;
    const std::size_t line_end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = without_blanks_at_the_end(rest.substr(0, line_end));
    rest.remove_prefix(std::min(line_end + 1, rest.size()));
    if (line.empty() || line.starts_with('#')) continue;
    EqualWrites writes;
    if (const std::string wrong = parse_writes(line, writes); !wrong.empty()) refuse(wrong);
    if (writes.bytes != 0 && writes.count > (largest_total - total) / writes.bytes) {
      refuse("the sizes add up to more than 1 PiB");
    }
    if (writes.count > max_operations - operations) refuse("there are more than 2^50 writes");
    total += writes.bytes * writes.count;
    operations += writes.count;
    sequence.groups.push_back(writes);
  }
  if (total == 0)
    throw std::runtime_error(fmt::format("replay {}: its writes have no bytes", path));
  return sequence;
}

PatternMemory::PatternMemory(std::size_t largest_piece) : bytes_(period + largest_piece) {
  for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = static_cast<char>(byte_at(i));
}

}  // namespace sluice::bench
