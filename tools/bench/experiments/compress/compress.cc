// `compress`: data of several kinds is written as it is, and compressed.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/experiments/compress/compress_data.h"
#include "bench/experiments/compress/compress_rows.h"
#include "bench/experiments/input/input_file.h"
#include "bench/experiments/output/pattern_output.h"
#include "bench/experiments/registry.h"
#include "command_line/quantity.h"
#include "sluice/codecs.h"

namespace sluice::bench {
namespace {

// A row that compresses by the library. `codec` returns null for data that it does not take, and
// where the library was built without it.
struct CodecRow {
  const char* name;
  const Codec* (*codec)(Element element);
};

const Codec* series_codec(Element element) {
  switch (element) {
    case Element::byte: return nullptr;
    case Element::unsigned_64: return codec_named("series:uint64");
    case Element::integer_64: return codec_named("series:int64");
    case Element::float_64: return codec_named("series:double");
  }
  return nullptr;
}

constexpr CodecRow codec_rows[] = {
    {"sluice zstd", [](Element) { return codec_named("zstd"); }},
    {"sluice lz4", [](Element) { return codec_named("lz4"); }},
    {"sluice series", series_codec},
};

// A row that pipes the bytes through a program, where the machine has it.
struct ProgramRow {
  const char* name;
  std::vector<std::string> words;
};

std::vector<ProgramRow> program_rows() {
  std::vector<ProgramRow> rows = {{"| zstd -1 -T0", {"zstd", "-q", "-1", "-T0", "-c"}},
                                  {"| lz4 -1", {"lz4", "-q", "-1", "-c"}}};
  std::erase_if(rows, [](const ProgramRow& row) { return !has_program(row.words[0]); });
  return rows;
}

Strategy strategy_of(std::string name, Kind kind, std::uint64_t buffer_bytes,
                     const CompressWork& work, std::function<void(const CompressWork&)> run) {
  return {
      .name = std::move(name),
      .kind = kind,
      .buffer_bytes = buffer_bytes,
      .bytes = work.data->wanted_bytes,
      .operations = 0,
      .prepare = {},
      .run = [run = std::move(run), work] { run(work); },
      .verify = [work] { expect_stored(work); },
  };
}

Experiment::Group group_of(const CompressWork& work, std::string title, std::string why) {
  Experiment::Group group{std::move(title), {}, std::move(why)};
  std::vector<Strategy>& rows = group.strategies;
  rows.push_back(strategy_of("raw write", Kind::limit, raw_write_block_bytes, work, by_raw_write));
  rows.push_back(strategy_of("sluice, not compressed", Kind::baseline, WriterOptions{}.block_bytes,
                             work, [](const CompressWork& it) { by_writer(it, nullptr); }));
  rows.back().is_by_sluice = true;
  for (const CodecRow& row : codec_rows) {
    const Codec* const codec = row.codec(work.data->kind->element);
    if (codec == nullptr) continue;
    rows.push_back(strategy_of(row.name, Kind::sluice, CompressionOptions{}.frame_bytes, work,
                               [codec](const CompressWork& it) { by_writer(it, codec); }));
  }
  for (const ProgramRow& row : program_rows()) {
    rows.push_back(
        strategy_of(row.name, Kind::peer, 0, work,
                    [words = row.words](const CompressWork& it) { by_program(it, words); }));
  }
  return group;
}

constexpr auto why_on_disk =
    "Compressing pays if a processor compresses faster than the device writes the bytes that are "
    "saved. The processor time of the programs behind a pipe is not in the table.";
constexpr auto why_on_slow_device =
    "The slower the device is, the more of the time a smaller file saves.";

constexpr std::uint64_t usual_bytes = 64 << 20;
constexpr std::uint64_t quick_bytes = 16 << 20;

std::string note_of_few_bytes(std::uint64_t bytes) {
  if (bytes >= usual_bytes) return "";
  return fmt::format(
      " Each row writes {} only, so the start of its threads and its last frames weigh more than "
      "in a large file: measure with a --size of {} or more before you decide.",
      format_bytes(bytes), format_bytes_short(usual_bytes));
}

}  // namespace

Experiment compress_experiment(const Settings& settings) {
  const std::uint64_t default_bytes = settings.quick ? quick_bytes : usual_bytes;
  const std::uint64_t bytes = settings.size_bytes != 0 ? settings.size_bytes : default_bytes;
  std::vector<std::shared_ptr<Data>> all;
  Experiment experiment{.id = "compress",
                        .title = "data written as it is, and compressed",
                        .groups = {},
                        .bytes = bytes,
                        .scratch_bytes = bytes + bytes / 50 + 65536,
                        .memory_bytes = bytes * data_kinds().size(),
                        .set_up = {}};
  for (const DataKind& kind : data_kinds()) {
    const auto data = std::make_shared<Data>();
    data->kind = &kind;
    data->wanted_bytes = bytes;
    all.push_back(data);
    CompressWork work{settings.directory + "/compress.out", data};
    experiment.groups.push_back(group_of(work, fmt::format("{}, durable", kind.name),
                                         why_on_disk + note_of_few_bytes(bytes)));
    work.device = Device::slow;
    experiment.groups.push_back(
        group_of(work, fmt::format("{}, a simulated device of 200 MB a second", kind.name),
                 why_on_slow_device + note_of_few_bytes(bytes)));
  }
  experiment.set_up = [all, text_file = settings.text_file] {
    const std::string text = text_file.empty() ? "" : sample_of_real_text(text_file);
    for (const auto& data : all) data->make(text);
  };
  return experiment;
}

}  // namespace sluice::bench
