// Compares the calls of the C interface with those of the C++ interface: put and get of one byte,
// write and read of 8 bytes. Prints the nanoseconds of each call in each round as JSON, and the
// median of the rounds' ratios.
//
// usage: c_interface_benchmark FILE [ROUNDS]   (FILE is written and read: a file in memory is best)
//
// The rounds are interleaved: C++ first, then C first, and so on. A first round is not counted.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "c_calls.h"
#include "sluice/reader.h"
#include "sluice/writer.h"

namespace {

constexpr std::uint64_t bytes_in_all = std::uint64_t{64} << 20;

[[noreturn]] void fail(const char* message) {
  std::fprintf(stderr, "c_interface_benchmark: %s\n", message);
  std::exit(1);
}

// The C functions are not inlined either.
[[gnu::noinline]] bool put_in_cpp(sluice::Writer& writer, std::uint64_t calls) {
  bool is_accepted = true;
  for (std::uint64_t i = 0; i < calls; ++i) {
    is_accepted &= writer.put(static_cast<std::byte>(i & 0x7F));
  }
  return is_accepted;
}

[[gnu::noinline]] bool write_in_cpp(sluice::Writer& writer, std::uint64_t calls) {
  bool is_accepted = true;
  for (std::uint64_t i = 0; i < calls; ++i) {
    const std::uint64_t value = i;
    is_accepted &= writer.write(&value, sizeof value);
  }
  return is_accepted;
}

[[gnu::noinline]] std::uint64_t get_in_cpp(sluice::Reader& reader) {
  std::uint64_t sum = 0;
  for (int byte; (byte = reader.get()) != sluice::Reader::end;) {
    sum += static_cast<std::uint64_t>(byte);
  }
  return sum;
}

[[gnu::noinline]] std::uint64_t read_in_cpp(sluice::Reader& reader) {
  std::uint64_t sum = 0;
  for (std::uint64_t value; reader.read(&value, sizeof value) == sizeof value;) sum += value;
  return sum;
}

// What the work needs, made outside the measured time. All targets are /dev/null, which takes
// blocks for next to nothing.
struct Handles {
  explicit Handles(const std::string& path) {
    sluice_error error;
    c_writer = sluice_writer_open("/dev/null", nullptr, &error);
    c_reader = sluice_reader_open(path.c_str(), nullptr, &error);
    if (!writer.open("/dev/null").ok() || !reader.open(path).ok() || c_writer == nullptr ||
        c_reader == nullptr) {
      fail("cannot open the files");
    }
  }
  ~Handles() {
    sluice_writer_free(c_writer);
    sluice_reader_free(c_reader);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  sluice::Writer writer;
  sluice::Reader reader;
  sluice_writer* c_writer;
  sluice_reader* c_reader;
};

struct Row {
  const char* name;
  std::uint64_t calls;
  std::function<std::uint64_t(Handles&)> in_cpp;
  std::function<std::uint64_t(Handles&)> in_c;
  std::vector<double> cpp_ns = {};
  std::vector<double> c_ns = {};
};

std::vector<Row> rows() {
  constexpr std::uint64_t values = bytes_in_all / sizeof(std::uint64_t);
  return {
      {"put", bytes_in_all, [](Handles& of) { return put_in_cpp(of.writer, bytes_in_all); },
       [](Handles& of) { return put_in_c(of.c_writer, bytes_in_all); }},
      {"write 8", values, [](Handles& of) { return write_in_cpp(of.writer, values); },
       [](Handles& of) { return write_in_c(of.c_writer, values); }},
      {"get", bytes_in_all, [](Handles& of) { return get_in_cpp(of.reader); },
       [](Handles& of) { return get_in_c(of.c_reader); }},
      {"read 8", values, [](Handles& of) { return read_in_cpp(of.reader); },
       [](Handles& of) { return read_in_c(of.c_reader); }},
  };
}

// Returns the nanoseconds of each call.
double time_of(const std::string& path, const std::function<std::uint64_t(Handles&)>& work,
               std::uint64_t calls, std::uint64_t& result) {
  Handles handles(path);
  const auto begin = std::chrono::steady_clock::now();
  result = work(handles);
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
  return time.count() / static_cast<double>(calls);
}

void measure(const std::string& path, Row& row, bool c_first, bool is_counted) {
  std::uint64_t cpp_result = 0;
  std::uint64_t c_result = 0;
  double c_ns = 0;
  if (c_first) c_ns = time_of(path, row.in_c, row.calls, c_result);
  const double cpp_ns = time_of(path, row.in_cpp, row.calls, cpp_result);
  if (!c_first) c_ns = time_of(path, row.in_c, row.calls, c_result);
  if (cpp_result != c_result || c_result == 0) fail("the results of C++ and C differ");
  if (!is_counted) return;
  row.cpp_ns.push_back(cpp_ns);
  row.c_ns.push_back(c_ns);
}

double median_ratio(const Row& row) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < row.c_ns.size(); ++i) ratios.push_back(row.c_ns[i] / row.cpp_ns[i]);
  std::sort(ratios.begin(), ratios.end());
  const std::size_t middle = ratios.size() / 2;
  return ratios.size() % 2 == 1 ? ratios[middle] : (ratios[middle - 1] + ratios[middle]) / 2;
}

void print_list(const char* name, const std::vector<double>& values) {
  std::printf("\"%s\": [", name);
  const char* comma = "";
  for (const double value : values) {
    std::printf("%s%.4f", comma, value);
    comma = ", ";
  }
  std::printf("]");
}

void print(const std::vector<Row>& measured) {
  std::printf("{\"unit\": \"nanoseconds of a call, for each round\", \"rows\": [\n");
  for (const Row& row : measured) {
    std::printf("  {\"name\": \"%s\", \"median_ratio_of_c_to_cpp\": %.4f,\n   ", row.name,
                median_ratio(row));
    print_list("cpp", row.cpp_ns);
    std::printf(",\n   ");
    print_list("c", row.c_ns);
    std::printf("}%s\n", &row == &measured.back() ? "" : ",");
  }
  std::printf("]}\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) fail("usage: c_interface_benchmark FILE [ROUNDS]");
  const int rounds = argc == 3 ? std::atoi(argv[2]) : 15;
  if (rounds < 1) fail("ROUNDS is at least 1");
  sluice::Writer file;
  if (!file.open(argv[1]).ok() || !put_in_cpp(file, bytes_in_all) || !file.close().ok()) {
    fail("cannot write FILE");
  }
  std::vector<Row> all = rows();
  for (int round = 0; round <= rounds; ++round) {
    for (Row& row : all) measure(argv[1], row, round % 2 == 1, round != 0);
  }
  std::remove(argv[1]);
  print(all);
  return 0;
}
