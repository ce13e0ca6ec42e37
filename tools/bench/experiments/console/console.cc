// `console`: standard input and standard output through pipes. The rows of std::cin and std::cout
// run with and without the settings that people are told to change.
//
// Other processes are at the far ends of the pipes, the same ones for every row. A row's time ends
// when it has read the last byte, or has written it into the pipe.
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/experiments/console/console_ints.h"
#include "bench/experiments/console/console_pipes.h"
#include "bench/experiments/input/line_loops.h"
#include "bench/experiments/input/raw_read.h"
#include "bench/experiments/registry.h"
#include "sluice/reader.h"

namespace sluice::bench {
namespace {

constexpr std::size_t line_bytes = 60;
// Rows that make a system call for every number do only this fraction of the work.
constexpr std::uint64_t scale = 8;

std::string text_of_ints() {
  std::string text;
  for (std::uint64_t i = 0; i < distinct_ints; ++i) text += std::to_string(int_at(i)) + '\n';
  return text;
}

// The block of the limits. It holds the text of all numbers until a read overwrites it.
char* raw_block() {
  static const WarmMemory block(raw_block_bytes);
  return reinterpret_cast<char*>(block.data());
}

void raw_write(const char* data, std::size_t bytes) {
  while (bytes != 0) {
    const ssize_t written = ::write(STDOUT_FILENO, data, bytes);
    if (written < 0) fail("write", "standard output");
    data += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

std::size_t raw_read() {
  const ssize_t got = ::read(STDIN_FILENO, raw_block(), raw_block_bytes);
  if (got < 0) fail("read", "standard input");
  return static_cast<std::size_t>(got);
}

void raw_read_all(std::uint64_t, Tally& tally) {
  while (const std::size_t got = raw_read()) tally.sum += got;
}

void raw_write_all(std::uint64_t count, Tally&) {
  for (std::uint64_t left = count * int_bytes; left != 0;) {
    const std::size_t piece = std::min<std::uint64_t>(left, raw_block_bytes);
    raw_write(raw_block(), piece);
    left -= piece;
  }
}

void raw_copy_all(std::uint64_t, Tally&) {
  while (const std::size_t got = raw_read()) raw_write(raw_block(), got);
}

void cin_lines(std::uint64_t, Tally& tally) { tally = loop_std_getline(std::cin); }

template <Tally (*loop)(std::FILE*)>
void stdin_lines(std::uint64_t, Tally& tally) {
  tally = loop(stdin);
}

void sluice_input_lines(std::uint64_t, Tally& tally) {
  Reader reader;
  reader.attach(STDIN_FILENO, "standard input").throw_if_error();
  tally = loop_sluice_lines(reader);
  reader.close().throw_if_error();
}

// The settings of the streams. The first mode has the settings of a new process; the baseline uses
// it.
struct StreamMode {
  const char* suffix;
  bool tied;
  bool synchronized;
};

constexpr StreamMode stream_modes[] = {
    {"", true, true},
    {" tie(nullptr)", false, true},
    {" sync_with_stdio(false)", true, false},
    {" sync_with_stdio(false) tie(nullptr)", false, false},
};

void apply(const StreamMode& mode) {
  if (!mode.synchronized) std::ios::sync_with_stdio(false);
  if (!mode.tied) std::cin.tie(nullptr);
}

enum class Calls { few, one_each, one_each_when_tied };  // the number of system calls for the items

struct Row {
  const char* name;
  Kind kind;
  Work work;
  bool streams = false;  // the row uses std::cin or std::cout: one strategy for each mode
  Calls calls = Calls::few;
};

constexpr Row read_int_rows[] = {
    {"raw read", Kind::limit, raw_read_all},
    {"cin >> int", Kind::baseline, move_ints<CinInts, TallyInts>, true},
    {"scanf", Kind::peer, move_ints<ScanfInts, TallyInts>},
    {"getchar digits", Kind::peer, move_ints<GetcharInts<std::getchar>, TallyInts>},
    {"getchar_unlocked digits", Kind::peer, move_ints<GetcharInts<getchar_unlocked>, TallyInts>},
    {"fgets, from_chars", Kind::peer, move_ints<FgetsInts, TallyInts>},
    {"sluice get digits", Kind::sluice, move_ints<SluiceGetInts, TallyInts>},
    {"sluice next_line, from_chars", Kind::sluice, move_ints<SluiceLineInts, TallyInts>},
};

constexpr Row read_line_rows[] = {
    {"raw read", Kind::limit, raw_read_all},
    {"getline(cin)", Kind::baseline, cin_lines, true},
    {"getline(3)", Kind::peer, stdin_lines<loop_getline_3>},
    {"fgets", Kind::peer, stdin_lines<loop_fgets>},
    {"fgets_unlocked", Kind::peer, stdin_lines<loop_fgets_unlocked>},
    {"sluice lines", Kind::sluice, sluice_input_lines},
};

constexpr Row write_int_rows[] = {
    {"raw write", Kind::limit, raw_write_all},
    {"cout << int << '\\n'", Kind::baseline, move_ints<Counted, CoutInts>, true},
    {"cout << int << endl", Kind::peer, move_ints<Counted, CoutEndlInts>, true, Calls::one_each},
    {"printf", Kind::peer, move_ints<Counted, PrintfInts>},
    {"to_chars, putchar", Kind::peer, move_ints<Counted, PutcharInts<std::putchar>>},
    {"to_chars, putchar_unlocked", Kind::peer, move_ints<Counted, PutcharInts<putchar_unlocked>>},
    {"to_chars, fwrite", Kind::peer, move_ints<Counted, FwriteInts>},
    {"sluice reserve, to_chars", Kind::sluice, move_ints<Counted, SluiceInts>},
};

// Reading and writing alternate only here, so only here the tie matters: every read from std::cin
// flushes std::cout.
constexpr Row copy_int_rows[] = {
    {"raw read, raw write", Kind::limit, raw_copy_all},
    {"cin >> int, cout << int", Kind::baseline, move_ints<CinInts, CoutInts>, true,
     Calls::one_each_when_tied},
    {"scanf, printf", Kind::peer, move_ints<ScanfInts, PrintfInts>},
    {"getchar_unlocked, putchar_unlocked", Kind::peer,
     move_ints<GetcharInts<getchar_unlocked>, PutcharInts<putchar_unlocked>>},
    {"fgets, from_chars, to_chars, fwrite", Kind::peer, move_ints<FgetsInts, FwriteInts>},
    {"sluice next_line, reserve", Kind::sluice, move_ints<SluiceLineInts, SluiceInts>},
};

// The parts that all rows of a group share.
struct Plan {
  std::span<const Row> rows;
  SharedInput input;   // goes in if `feeds`; must come out if `drains`
  SharedInput scaled;  // replaces `input` in rows that are scaled down
  std::size_t item_bytes;
  bool feeds;
  bool drains;
};

Tally expected_tally(const InputFile& input, const Plan& plan, Kind kind) {
  if (kind == Kind::limit) return {.items = 0, .sum = input.bytes, .checksum = 0};
  if (plan.item_bytes == line_bytes) return input.lines;
  Tally tally;
  for (std::uint64_t i = 0; i < input.bytes / int_bytes; ++i) {
    tally.add_value(static_cast<std::uint64_t>(int_at(i)));
  }
  return tally;
}

void expect_received(const StandardOutputDrain::Received& received, const InputFile& input) {
  if (received.bytes == input.bytes && received.hash == input.hash) return;
  throw std::runtime_error(fmt::format(
      "the pipe passed {} bytes with the hash {:016x}, instead of {} bytes with {:016x}",
      received.bytes, received.hash, input.bytes, input.hash));
}

Strategy strategy_for(const Row& row, const StreamMode& mode, const Plan& plan) {
  const bool scaled =
      row.calls == Calls::one_each || (row.calls == Calls::one_each_when_tied && mode.tied);
  const SharedInput input = scaled ? plan.scaled : plan.input;
  struct State {
    std::optional<StandardOutputDrain> drain;
    Tally tally;
  };
  auto state = std::make_shared<State>();
  Strategy strategy;
  strategy.name = std::string(row.name) + mode.suffix;
  strategy.kind = *mode.suffix == '\0' ? row.kind : Kind::peer;
  strategy.bytes = input->bytes;
  strategy.operations = (input->bytes + plan.item_bytes - 1) / plan.item_bytes;
  strategy.prepare = [state, input, plan, mode, streams = row.streams] {
    const std::string text = text_of_ints();
    std::memcpy(raw_block(), text.data(), text.size());
    if (plan.feeds) feed_standard_input(input->path);
    if (plan.drains) state->drain.emplace();
    if (streams) apply(mode);
  };
  strategy.run = [state, input, work = row.work] { work(input->bytes / int_bytes, state->tally); };
  strategy.verify = [state, input, plan, kind = row.kind] {
    if (plan.drains) return expect_received(state->drain->finish(), *input);
    expect_tally(state->tally, expected_tally(*input, plan, kind));
  };
  return strategy;
}

std::vector<Strategy> strategies(const Plan& plan) {
  std::vector<Strategy> result;
  for (const Row& row : plan.rows) {
    const std::size_t modes = row.streams ? std::size(stream_modes) : 1;
    for (std::size_t i = 0; i < modes; ++i) {
      result.push_back(strategy_for(row, stream_modes[i], plan));
    }
  }
  return result;
}

}  // namespace

Experiment console_experiment(const Settings& settings) {
  const std::uint64_t default_bytes = (settings.quick ? 4 : 16) * std::uint64_t{1024 * 1024};
  const std::uint64_t asked = settings.size_bytes != 0 ? settings.size_bytes : default_bytes;
  // All numbers must be whole, and the scaled-down work must have at least one.
  const std::uint64_t few_bytes = std::max<std::uint64_t>(asked / scale / int_bytes, 1) * int_bytes;
  const std::uint64_t bytes = few_bytes * scale;
  const SharedInput ints = declare_input_file(settings.directory, "ints.txt", bytes);
  const SharedInput few_ints = declare_input_file(settings.directory, "few-ints.txt", few_bytes);
  const SharedInput lines = declare_input_file(settings.directory, "lines.txt", bytes);

  Experiment experiment;
  experiment.id = "console";
  experiment.title = "standard input and output through pipes";
  experiment.bytes = bytes;
  experiment.scratch_bytes = 2 * bytes + few_bytes;
  const char* const own_buffers =
      "By default std::cin and std::cout give every character to stdio. sync_with_stdio(false) "
      "gives them a buffer of their own. The remaining cost is the conversion and the calls for "
      "every item.";
  experiment.groups = {
      {"read numbers of 7 digits",
       strategies({read_int_rows, ints, few_ints, int_bytes, true, false}), own_buffers},
      {"read lines of 60 bytes",
       strategies({read_line_rows, lines, lines, line_bytes, true, false}), own_buffers},
      {"write numbers of 7 digits",
       strategies({write_int_rows, ints, few_ints, int_bytes, false, true}),
       "std::endl makes a system call for every number, '\\n' only one for each full buffer."},
      {"read a number, write it",
       strategies({copy_int_rows, ints, few_ints, int_bytes, true, true}),
       "std::cout is tied to std::cin: every read flushes it, which makes a system call for every "
       "number."},
  };
  experiment.set_up = [ints, few_ints, lines] {
    make_input_file(*ints, text_of_ints());
    make_input_file(*few_ints, text_of_ints());
    make_input_file(*lines, sample_of_equal_lines(line_bytes));
  };
  return experiment;
}

}  // namespace sluice::bench
