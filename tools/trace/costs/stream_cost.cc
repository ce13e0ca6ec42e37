#include "trace/costs/stream_cost.h"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ios>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace sluice::trace {
namespace {

constexpr std::size_t calls = 4096;
constexpr std::size_t most_bytes = 64;  // of a piece or number

// Letters and numbers that the processor cannot foresee.
class Data {
 public:
  Data() {
    std::uint32_t value = 1;
    for (std::size_t i = 0; i < calls; ++i) {
      value = value * 1664525 + 1013904223;
      text_.push_back(static_cast<char>('a' + (value >> 24) % 26));
      integers_.push_back(static_cast<long>(value >> (8 + value % 20)));
      fractions_.push_back(static_cast<double>(value) / 1000);
    }
  }

  const std::string& text() const { return text_; }
  const std::vector<long>& integers() const { return integers_; }
  const std::vector<double>& fractions() const { return fractions_; }

 private:
  std::string text_;
  std::vector<long> integers_;
  std::vector<double> fractions_;
};

// Where a program without a stream puts what it writes.
class Array {
 public:
  char* begin() { return bytes_.data(); }
  double last(const char* end) const { return static_cast<double>(*(end - 1)); }

 private:
  std::vector<char> bytes_ = std::vector<char>(calls * most_bytes);
};

// Keeps the compiler from making one step of several.
inline void end_step(const char* position) { asm volatile("" : : "r"(position) : "memory"); }

template <typename Through, typename InArray>
double cost_s(const Through& through, const InArray& in_array) {
  return (least_time_s(through) - least_time_s(in_array)) / static_cast<double>(calls);
}

CostRange cost_of_bytes_read(const Data& data) {
  std::istringstream stream(data.text());
  const auto by_reference = [&] {
    stream.clear();
    stream.seekg(0);
    char byte = 0;
    int sum = 0;
    while (stream.get(byte)) sum += byte;
    return sum;
  };
  const auto by_value = [&] {
    stream.clear();
    stream.seekg(0);
    int sum = 0;
    for (int byte = stream.get(); byte != EOF; byte = stream.get()) sum += byte;
    return sum;
  };
  const auto in_array = [&] {
    int sum = 0;
    for (const char& byte : data.text()) {
      end_step(&byte);
      sum += byte;
    }
    return sum;
  };
  CostRange cost = CostRange::of_nothing();
  cost.include(cost_s(by_reference, in_array));
  cost.include(cost_s(by_value, in_array));
  return cost;
}

// write(item) goes through the stream; put(to, item) puts the same into an array, and returns the
// end.
template <typename Items, typename Write, typename Put>
double cost_of_writing_s(const Items& items, const Write& write, const Put& put) {
  Array array;
  const auto through = [&] {
    for (const auto& item : items) write(item);
    return 0;
  };
  const auto in_array = [&] {
    char* to = array.begin();
    for (const auto& item : items) {
      to = put(to, item);
      end_step(to);
    }
    return array.last(to);
  };
  return cost_s(through, in_array);
}

CostRange cost_of_bytes_written(const Data& data, std::ostream& stream) {
  const auto put = [](char* to, char byte) {
    *to = byte;
    return to + 1;
  };
  CostRange cost = CostRange::of_nothing();
  cost.include(cost_of_writing_s(
      data.text(), [&](char byte) { stream.put(byte); }, put));
  cost.include(cost_of_writing_s(
      data.text(), [&](char byte) { stream << byte; }, put));
  return cost;
}

// Texts of these lengths.
std::vector<std::string> texts_of(const Data& data, std::size_t bytes) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < calls; ++i) {
    texts.push_back(data.text().substr(i % (calls - bytes), bytes));
  }
  return texts;
}

constexpr std::size_t lengths[] = {4, 8, 20, 50};

CostRange cost_of_pieces_written(const Data& data, std::ostream& stream) {
  const auto put = [](char* to, const std::string& text) {
    std::memcpy(to, text.data(), text.size());
    return to + text.size();
  };
  CostRange cost = CostRange::of_nothing();
  for (const std::size_t bytes : lengths) {
    const std::vector<std::string> texts = texts_of(data, bytes);
    const auto write = [&](const std::string& text) {
      stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    };
    cost.include(cost_of_writing_s(texts, write, put));
    cost.include(cost_of_writing_s(
        texts, [&](const std::string& text) { stream << text; }, put));
  }
  return cost;
}

// A file's buffer hands pieces over in another way than that of a string.
CostRange cost_of_pieces_read(std::istream& zeros) {
  const std::vector<char> array(calls * most_bytes);
  CostRange cost = CostRange::of_nothing();
  for (const std::size_t bytes : lengths) {
    char piece[most_bytes];
    const auto through = [&] {
      int sum = 0;
      for (std::size_t i = 0; i < calls; ++i) {
        if (zeros.read(piece, static_cast<std::streamsize>(bytes))) sum += piece[0];
      }
      return sum;
    };
    const auto in_array = [&] {
      int sum = 0;
      for (std::size_t i = 0; i < calls; ++i) {
        std::memcpy(piece, array.data() + i * bytes, bytes);
        end_step(piece);
        sum += piece[0];
      }
      return sum;
    };
    cost.include(cost_s(through, in_array));
  }
  return cost;
}

template <typename... Format>
char* put_number(char* to, auto number, Format... format) {
  return std::to_chars(to, to + most_bytes, number, format...).ptr;
}

CostRange cost_of_integers_written(const Data& data, std::ostream& stream) {
  const auto put = [](char* to, long number) { return put_number(to, number); };
  CostRange cost = CostRange::of_nothing();
  cost.include(cost_of_writing_s(
      data.integers(), [&](long number) { stream << number; }, put));
  return cost;
}

CostRange cost_of_fractions_written(const Data& data, std::ostream& stream) {
  constexpr int digits = 3;
  const auto write = [&](double number) { stream << number; };
  const auto put = [&](char* to, double number) {
    return put_number(to, number, std::chars_format::general, 6);
  };
  const auto put_fixed = [&](char* to, double number) {
    return put_number(to, number, std::chars_format::fixed, digits);
  };
  CostRange cost = CostRange::of_nothing();
  cost.include(cost_of_writing_s(data.fractions(), write, put));
  stream << std::fixed;
  stream.precision(digits);
  cost.include(cost_of_writing_s(data.fractions(), write, put_fixed));
  return cost;
}

}  // namespace

std::optional<StreamCosts> measured_stream_costs() {
  // Opened for reading too, so that no file is made where there is no such device.
  std::fstream nowhere("/dev/null", std::ios::in | std::ios::out);
  std::ifstream zeros("/dev/zero", std::ios::binary);
  std::error_code ignored;
  const bool are_devices = std::filesystem::is_character_file("/dev/null", ignored) &&
                           std::filesystem::is_character_file("/dev/zero", ignored);
  if (!are_devices || !nowhere || !zeros) return std::nullopt;
  const Data data;
  const StreamCosts costs{.byte_read = cost_of_bytes_read(data),
                          .byte_written = cost_of_bytes_written(data, nowhere),
                          .piece_read = cost_of_pieces_read(zeros),
                          .piece_written = cost_of_pieces_written(data, nowhere),
                          .integer_written = cost_of_integers_written(data, nowhere),
                          .fraction_written = cost_of_fractions_written(data, nowhere)};
  const bool have_worked = nowhere.good() && zeros.good();  // a call that fails takes no time
  return have_worked ? std::optional(costs) : std::nullopt;
}

}  // namespace sluice::trace
