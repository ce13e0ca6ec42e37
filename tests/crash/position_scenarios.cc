// The durability of a Writer that seeks back: a header is patched at the end, or an existing file
// is overwritten.
#include <algorithm>
#include <string>
#include <string_view>

#include "scenario.h"
#include "sluice/writer.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::crash {
namespace {

using testing::contents_of;
using testing::file_exists;
using testing::pattern;

// ---- new files: records, and a header that has their number ----

constexpr std::size_t record_bytes = 100;

std::string name_of_records(std::uint64_t step) { return "records-" + std::to_string(step); }
std::uint64_t records_of(std::uint64_t step) { return step * 1'237 % 3'000; }

void patch_header(Run& run) {
  run.begin();
  for (std::uint64_t step = 0; step < run.steps(); ++step) {
    Writer writer;
    run.expect_ok(writer.open(run.file(name_of_records(step)),
                              {.durability = Durability::on_close,
                               .write_behind = run.any(1) == 0 ? WriteBehind::on : WriteBehind::off,
                               .block_bytes = 16'384}));
    writer.write_value(std::uint64_t{0});
    for (std::uint64_t record = 0; record < records_of(step); ++record) {
      writer.write(std::string_view(pattern(step + record, record_bytes)));
    }
    run.expect_ok(writer.write_value_at(0, records_of(step)));
    run.expect_ok(writer.close());
    run.acknowledge(step);
  }
}

void check_headers(const std::string& folder, const Told& told) {
  for (const Acknowledged& each : told) {
    const std::string path = folder + "/" + name_of_records(each.value);
    expect(file_exists(path), path + " is there");
    const std::uint64_t records = records_of(each.value);
    std::string whole(reinterpret_cast<const char*>(&records), sizeof records);
    for (std::uint64_t i = 0; i < records; ++i) whole += pattern(each.value + i, record_bytes);
    expect(contents_of(path) == whole, path + " is whole, and its header says so");
  }
}

// ---- an existing file, of which each step writes over some cells ----

// A cell repeats the number of its step. So each byte of a cell tells which step wrote it.
constexpr const char* overwritten = "overwritten";
constexpr std::size_t cells = 64;
constexpr std::size_t cell_bytes = 3'000;
constexpr std::uint64_t max_overwriting_steps = 255;  // their numbers fit in a byte

std::string cell_of(std::uint64_t step) { return std::string(cell_bytes, static_cast<char>(step)); }

// Each step overwrites two adjacent cells and one other cell, somewhere before or behind them.
std::size_t first_of(std::uint64_t step) { return step * 13 % (cells - 1); }
std::size_t patched_by(std::uint64_t step) { return step * 29 % cells; }

void write_over(Run& run, Durability durability, FlushTo to) {
  Writer writer;
  run.expect_ok(writer.open(run.file(overwritten), {.durability = Durability::on_close}));
  for (std::size_t i = 0; i < cells; ++i) writer.write(std::string_view(cell_of(0)));
  run.expect_ok(writer.close());
  run.begin();
  run.expect_ok(writer.open(
      run.file(overwritten),
      {.create = CreateMode::existing, .durability = durability, .block_bytes = 4'096}));
  const std::uint64_t steps = std::min(run.steps(), max_overwriting_steps);
  for (std::uint64_t step = 1; step <= steps; ++step) {
    run.expect_ok(writer.seek(first_of(step) * cell_bytes));
    writer.write(std::string_view(cell_of(step) + cell_of(step)));
    run.expect_ok(writer.write_at(patched_by(step) * cell_bytes, cell_of(step)));
    run.expect_ok(writer.flush(to));
    run.acknowledge(step);
  }
  run.expect_ok(writer.close());
}

void write_over_and_flush(Run& run) { write_over(run, Durability::every_flush, FlushTo::os); }
void write_over_each(Run& run) { write_over(run, Durability::every_write, FlushTo::os); }

bool writes_over(std::uint64_t step, std::size_t cell) {
  return cell == first_of(step) || cell == first_of(step) + 1 || cell == patched_by(step);
}

// The numbers that the bytes of a cell may hold: the number of the last acknowledged step that
// wrote the cell, and the number of every later step that writes it. The run may have made all of
// its steps before the cut, because the test stops listening to it a moment earlier.
std::string may_be_in(std::size_t cell, std::uint64_t last) {
  std::uint64_t durable = last;
  while (durable > 0 && !writes_over(durable, cell)) --durable;
  std::string bytes(1, cell_of(durable)[0]);
  for (std::uint64_t step = last + 1; step <= max_overwriting_steps; ++step) {
    if (writes_over(step, cell)) bytes += cell_of(step)[0];
  }
  return bytes;
}

void check_overwritten(const std::string& folder, const Told& told) {
  const std::uint64_t last = largest(told);
  const std::string contents = contents_of(folder + "/" + overwritten);
  expect(contents.size() == cells * cell_bytes, "the existing file keeps its size");
  for (std::size_t i = 0; i < cells; ++i) {
    const std::string cell = contents.substr(i * cell_bytes, cell_bytes);
    expect(cell.find_first_not_of(may_be_in(i, last)) == std::string::npos,
           "cell " + std::to_string(i) + " holds step " + std::to_string(last) + " or a later one");
  }
}

constexpr Scenario scenarios[] = {
    {"patched_header", patch_header, check_headers},
    {"overwrite_flush", write_over_and_flush, check_overwritten},
    {"overwrite_each", write_over_each, check_overwritten},
};

}  // namespace

std::span<const Scenario> position_scenarios() { return scenarios; }

}  // namespace sluice::crash
