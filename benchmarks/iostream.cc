// Compares OStreamWriter and IStreamReader with std::ofstream and std::ifstream. Prints JSON.
//
// usage: iostream_benchmark FOLDER [ROUNDS [MEGABYTES]]
//
// Each round runs every job once with the standard stream and once with sluice's; the order changes
// from round to round. A ratio is the standard stream's time divided by sluice's time in the same
// round. The times include opening and closing the file. The bytes are compared outside them.
#include <sluice/files.h>
#include <sluice/iostream.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

void check(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "iostream_benchmark: %s\n", what.c_str());
  std::exit(1);
}

void check(const sluice::Status& status) { check(status.ok(), status.message()); }

std::size_t megabytes = 64;

template <typename Stream>
void write_text(Stream& out) {
  for (std::size_t i = 0; i < megabytes * 1'000'000 / 5; ++i) out << "text" << '\n';
}

template <typename Stream>
void write_8_bytes(Stream& out) {
  for (std::size_t i = 0; i < megabytes * 1'000'000 / 8; ++i) {
    out.write(reinterpret_cast<const char*>(&i), 8);
  }
}

template <typename Stream>
void put_characters(Stream& out) {
  auto* const buffer = out.rdbuf();
  for (std::size_t i = 0; i < megabytes * 4'000'000; ++i) buffer->sputc(static_cast<char>(i));
}

template <typename Stream>
std::size_t add_up_integers(Stream& in) {
  std::size_t sum = 0;
  for (int number = 0; in >> number;) sum += static_cast<std::size_t>(number);
  return sum;
}

template <typename Stream>
std::size_t count_line_bytes(Stream& in) {
  std::size_t bytes = 0;
  for (std::string line; std::getline(in, line);) bytes += line.size() + 1;
  return bytes;
}

double seconds_of(const std::function<void()>& body) {
  const Clock::time_point begin = Clock::now();
  body();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

template <typename Stream, typename Job>
double write_with(Job job, const std::string& path) {
  std::remove(path.c_str());
  return seconds_of([&] {
    Stream out(path);
    job(out);
    static_cast<void>(out.close());
    check(!out.fail(), "cannot write " + path);
  });
}

template <typename Stream, typename Job>
double read_with(Job job, const std::string& path, std::size_t& result) {
  return seconds_of([&] {
    Stream in(path);
    result = job(in);
    check(!in.bad() && in.eof(), "cannot read " + path);
  });
}

struct Times {
  double standard = 0;
  double sluice = 0;
};

struct Job {
  std::string name;
  std::function<Times(const std::string& path, bool sluice_first)> run;
  std::vector<Times> rounds = {};
};

template <typename First, typename Second>
void in_order(bool second_first, First first, Second second) {
  if (second_first) second();
  first();
  if (!second_first) second();
}

template <typename Standard, typename Sluice>
Job writing(const std::string& name, Standard standard, Sluice sluice) {
  return {name, [=](const std::string& path, bool sluice_first) {
            Times times;
            std::string bytes;
            std::string other_bytes;
            in_order(
                sluice_first,
                [&] {
                  times.standard = write_with<std::ofstream>(standard, path);
                  check(sluice::read_file(path, bytes));
                },
                [&] {
                  times.sluice = write_with<sluice::OStreamWriter>(sluice, path);
                  check(sluice::read_file(path, other_bytes));
                });
            check(!bytes.empty() && bytes == other_bytes, name + ": the files differ");
            return times;
          }};
}

// `line` makes each line of the file that is read.
template <typename Standard, typename Sluice>
Job reading(const std::string& name, std::string (*line)(std::size_t), Standard standard,
            Sluice sluice) {
  return {
      name, [=](const std::string& path, bool sluice_first) {
        std::string bytes;
        for (std::size_t i = 0; bytes.size() < megabytes * 1'000'000; ++i) bytes += line(i);
        check(sluice::write_file(path, bytes));
        Times times;
        std::size_t result = 0;
        std::size_t other_result = 0;
        in_order(
            sluice_first,
            [&] { times.standard = read_with<std::ifstream>(standard, path, result); },
            [&] { times.sluice = read_with<sluice::IStreamReader>(sluice, path, other_result); });
        check(result != 0 && result == other_result, name + ": the results differ");
        return times;
      }};
}

std::string integer_line(std::size_t i) { return std::to_string(i * 7919 % 1'000'000) + '\n'; }
std::string text_line(std::size_t i) { return std::string(20 + i * 37 % 61, 'x') + '\n'; }

std::vector<Job> jobs() {
  using Out = std::ofstream;
  using OurOut = sluice::OStreamWriter;
  using In = std::ifstream;
  using OurIn = sluice::IStreamReader;
  return {writing("os << text << newline", write_text<Out>, write_text<OurOut>),
          writing("os.write of 8 bytes", write_8_bytes<Out>, write_8_bytes<OurOut>),
          writing("text and newline through std::ostream&", write_text<std::ostream>,
                  write_text<std::ostream>),
          writing("write of 8 bytes through std::ostream&", write_8_bytes<std::ostream>,
                  write_8_bytes<std::ostream>),
          writing("sputc", put_characters<Out>, put_characters<OurOut>),
          reading("is >> int", integer_line, add_up_integers<In>, add_up_integers<OurIn>),
          reading("std::getline", text_line, count_line_bytes<In>, count_line_bytes<OurIn>)};
}

double median_of(const Job& job, const std::function<double(const Times&)>& value) {
  std::vector<double> values;
  for (const Times& times : job.rounds) values.push_back(value(times));
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void print(const Job& job, bool last) {
  std::printf(
      "    {\"name\": \"%s\", \"times_as_fast\": %.3f, \"standard_seconds\": %.4f, "
      "\"sluice_seconds\": %.4f,\n     \"rounds\": [",
      job.name.c_str(),
      median_of(job, [](const Times& times) { return times.standard / times.sluice; }),
      median_of(job, [](const Times& times) { return times.standard; }),
      median_of(job, [](const Times& times) { return times.sluice; }));
  for (std::size_t i = 0; i < job.rounds.size(); ++i) {
    std::printf("%s[%.4f, %.4f]", i == 0 ? "" : ", ", job.rounds[i].standard, job.rounds[i].sluice);
  }
  std::printf("]}%s\n", last ? "" : ",");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr, "usage: iostream_benchmark FOLDER [ROUNDS [MEGABYTES]]\n");
    return 2;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  check(rounds > 0, "ROUNDS is a positive number");
  if (argc > 3) megabytes = static_cast<std::size_t>(std::atoi(argv[3]));
  const std::string path = std::string(argv[1]) + "/iostream-benchmark.tmp";
  std::vector<Job> all = jobs();
  for (int round = -1; round < rounds; ++round) {  // the first round warms up
    for (Job& job : all) {
      const Times times = job.run(path, round % 2 != 0);
      if (round >= 0) job.rounds.push_back(times);
      std::remove(path.c_str());
    }
  }
  std::printf("{\"megabytes\": %zu, \"rounds\": %d, \"jobs\": [\n", megabytes, rounds);
  for (const Job& job : all) print(job, &job == &all.back());
  std::printf("]}\n");
  return 0;
}
