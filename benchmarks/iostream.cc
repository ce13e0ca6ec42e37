// Compares OStreamWriter and IStreamReader with std::ofstream and std::ifstream. Prints JSON.
//
// usage: iostream_benchmark FOLDER [ROUNDS [MEGABYTES [read|write]]]
//
// Each round runs every job once with the standard stream and once with sluice's; the order changes
// from round to round. A ratio is the standard stream's time divided by sluice's time in the same
// round. The times include opening and closing the file. The bytes are compared outside them.
//
// Jobs that read have a third way, the bare one. It is read(2) itself for pieces, and for all other
// jobs a std::istream with a small stream buffer over read(2) of 256 KiB. The standard library
// takes what is left of its time. `of_bare` is the bare time divided by sluice's time.
#include <sluice/files.h>
#include <sluice/iostream.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <istream>
#include <streambuf>
#include <string>
#include <utility>
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

// Reads the file by read(2), as directly as a stream can.
class BareBuffer : public std::streambuf {
 public:
  explicit BareBuffer(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~BareBuffer() override { ::close(descriptor_); }

 protected:
  int_type underflow() override {
    const ssize_t got = ::read(descriptor_, block_.data(), block_.size());
    if (got <= 0) return traits_type::eof();
    setg(block_.data(), block_.data(), block_.data() + got);
    return traits_type::to_int_type(block_[0]);
  }
  std::streamsize xsgetn(char* into, std::streamsize bytes) override {
    return std::max<std::streamsize>(0, ::read(descriptor_, into, static_cast<std::size_t>(bytes)));
  }

 private:
  std::vector<char> block_ = std::vector<char>(256 * 1024);
  const int descriptor_;
};

class BareStream : private BareBuffer, public std::istream {
 public:
  explicit BareStream(const std::string& path) : BareBuffer(path), std::istream(this) {}
};

// The bytes are not looked at, so the time is that of the transfer.
template <std::size_t piece_bytes>
struct ReadPieces {
  template <typename Stream>
  std::size_t operator()(Stream& in) const {
    std::size_t bytes = 0;
    std::vector<char> into(piece_bytes);
    do {
      in.read(into.data(), static_cast<std::streamsize>(into.size()));
      bytes += static_cast<std::size_t>(in.gcount());
    } while (in);
    return bytes;
  }
};

// A Reader with the calls that ReadPieces needs.
class ReaderOfPieces {
 public:
  explicit ReaderOfPieces(const std::string& path) { check(reader_.open(path)); }
  void read(char* into, std::streamsize bytes) {
    got_ = reader_.read(into, static_cast<std::size_t>(bytes));
    has_ended_ = got_ < static_cast<std::size_t>(bytes);
  }
  std::streamsize gcount() const { return static_cast<std::streamsize>(got_); }
  explicit operator bool() const { return !has_ended_; }
  bool bad() const { return !reader_.status().ok(); }
  bool eof() const { return has_ended_; }

 private:
  sluice::Reader reader_;
  std::size_t got_ = 0;
  bool has_ended_ = false;
};

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
  double bare = 0;  // 0: there is no bare way
};

struct Job {
  std::string name;
  std::function<Times(const std::string& path, unsigned turn)> run;
  std::vector<Times> rounds = {};
};

// Begins with another way in each turn.
void in_turn(unsigned turn, const std::vector<std::function<void()>>& ways) {
  for (std::size_t i = 0; i < ways.size(); ++i) ways[(turn + i) % ways.size()]();
}

template <typename Standard, typename Sluice>
Job writing(const std::string& name, Standard standard, Sluice sluice) {
  return {name, [=](const std::string& path, unsigned turn) {
            Times times;
            std::string bytes;
            std::string other_bytes;
            in_turn(turn, {[&] {
                             times.standard = write_with<std::ofstream>(standard, path);
                             check(sluice::read_file(path, bytes));
                           },
                           [&] {
                             times.sluice = write_with<sluice::OStreamWriter>(sluice, path);
                             check(sluice::read_file(path, other_bytes));
                           }});
            check(!bytes.empty() && bytes == other_bytes, name + ": the files differ");
            return times;
          }};
}

// `line` makes each line of the file that is read.
template <typename Sluice, typename Read>
Job reading(const std::string& name, const std::function<std::string(std::size_t)>& line,
            Read read) {
  return {name, [=](const std::string& path, unsigned turn) {
            std::string bytes;
            for (std::size_t i = 0; bytes.size() < megabytes * 1'000'000; ++i) bytes += line(i);
            check(sluice::write_file(path, bytes));
            Times times;
            std::size_t result = 0;
            std::size_t other_result = 0;
            std::size_t bare_result = 0;
            check(sluice::read_file(path, bytes));  // the first reader would find cold caches
            in_turn(turn, {[&] { times.standard = read_with<std::ifstream>(read, path, result); },
                           [&] { times.sluice = read_with<Sluice>(read, path, other_result); },
                           [&] { times.bare = read_with<BareStream>(read, path, bare_result); }});
            check(result != 0 && result == other_result && result == bare_result,
                  name + ": the results differ");
            return times;
          }};
}

std::string integer_line(std::size_t i) { return std::to_string(i * 7919 % 1'000'000) + '\n'; }
std::string text_line(std::size_t i) { return std::string(20 + i * 37 % 61, 'x') + '\n'; }

struct AddUpIntegers {
  template <typename Stream>
  std::size_t operator()(Stream& in) const {
    return add_up_integers(in);
  }
};

struct CountLineBytes {
  template <typename Stream>
  std::size_t operator()(Stream& in) const {
    return count_line_bytes(in);
  }
};

template <std::size_t piece_kib>
void add_pieces(std::vector<Job>& jobs) {
  const std::string of_pieces = " of " + std::to_string(piece_kib) + " KiB";
  const ReadPieces<piece_kib * 1024> read;
  jobs.push_back(reading<sluice::IStreamReader>("in.read" + of_pieces, text_line, read));
  jobs.push_back(reading<ReaderOfPieces>("Reader::read" + of_pieces, text_line, read));
}

std::vector<Job> reading_jobs() {
  using In = sluice::IStreamReader;
  std::vector<Job> jobs{reading<In>("is >> int", integer_line, AddUpIntegers()),
                        reading<In>("std::getline", text_line, CountLineBytes())};
  for (const std::size_t bytes : {10u, 25u, 50u, 100u, 1000u}) {
    const std::string line = std::string(bytes, 'x') + '\n';
    jobs.push_back(reading<In>(
        "std::getline, lines of " + std::to_string(bytes) + " bytes",
        [line](std::size_t) { return line; }, CountLineBytes()));
  }
  add_pieces<4>(jobs);
  add_pieces<16>(jobs);
  add_pieces<32>(jobs);
  add_pieces<64>(jobs);
  add_pieces<128>(jobs);
  add_pieces<512>(jobs);
  return jobs;
}

std::vector<Job> writing_jobs() {
  using Out = std::ofstream;
  using OurOut = sluice::OStreamWriter;
  return {writing("os << text << newline", write_text<Out>, write_text<OurOut>),
          writing("os.write of 8 bytes", write_8_bytes<Out>, write_8_bytes<OurOut>),
          writing("text and newline through std::ostream&", write_text<std::ostream>,
                  write_text<std::ostream>),
          writing("write of 8 bytes through std::ostream&", write_8_bytes<std::ostream>,
                  write_8_bytes<std::ostream>),
          writing("sputc", put_characters<Out>, put_characters<OurOut>)};
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
      "\"sluice_seconds\": %.4f, \"of_bare\": %.3f,\n     \"rounds\": [",
      job.name.c_str(),
      median_of(job, [](const Times& times) { return times.standard / times.sluice; }),
      median_of(job, [](const Times& times) { return times.standard; }),
      median_of(job, [](const Times& times) { return times.sluice; }),
      median_of(job, [](const Times& times) { return times.bare / times.sluice; }));
  for (std::size_t i = 0; i < job.rounds.size(); ++i) {
    const Times& times = job.rounds[i];
    std::printf("%s[%.5f, %.5f, %.5f]", i == 0 ? "" : ", ", times.standard, times.sluice,
                times.bare);
  }
  std::printf("]}%s\n", last ? "" : ",");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 5) {
    std::fprintf(stderr, "usage: iostream_benchmark FOLDER [ROUNDS [MEGABYTES [read|write]]]\n");
    return 2;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  check(rounds > 0, "ROUNDS is a positive number");
  if (argc > 3) megabytes = static_cast<std::size_t>(std::atoi(argv[3]));
  const std::string path = std::string(argv[1]) + "/iostream-benchmark.tmp";
  const std::string part = argc > 4 ? argv[4] : "";
  std::vector<Job> all;
  if (part != "read") all = writing_jobs();
  if (part != "write") {
    for (Job& job : reading_jobs()) all.push_back(std::move(job));
  }
  for (int round = -1; round < rounds; ++round) {  // the first round warms up
    for (Job& job : all) {
      const Times times = job.run(path, static_cast<unsigned>(round + 1));
      if (round >= 0) job.rounds.push_back(times);
      std::remove(path.c_str());
    }
  }
  std::printf("{\"megabytes\": %zu, \"rounds\": %d, \"jobs\": [\n", megabytes, rounds);
  for (const Job& job : all) print(job, &job == &all.back());
  std::printf("]}\n");
  return 0;
}
