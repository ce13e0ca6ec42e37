#include "trace/profile/record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <tuple>

#include "sluice/files.h"
#include "sluice/writer.h"
#include "trace/costs/call_costs.h"
#include "trace/logs/sparse_file.h"

namespace sluice::trace {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr unsigned record_schema = 2;
constexpr std::string_view kept_begins = "sluice-record-";

std::string json_path(const std::string& folder) { return folder + "/record.json"; }

std::int64_t clock_ns(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

Json json_of(const ProcessorTimes& times) {
  return {times.total_s, times.busy_s, times.stolen_s, times.own_s};
}

ProcessorTimes times_of(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>(),
          json.at(3).get<double>()};
}

// Copies what is written of a log, and leaves its holes.
void copy_log(const std::string& from, const std::string& to) {
  const auto bytes = static_cast<std::size_t>(fs::file_size(from));
  SparseFile file;
  file.read(from, bytes).throw_if_error();
  Writer writer;
  writer.open(to, {.permissions = 0600}).throw_if_error();
  constexpr std::size_t page_bytes = 4096;
  static constexpr std::array<char, page_bytes> zeros{};
  const auto* const memory = static_cast<const char*>(file.memory());
  for (std::size_t at = 0; at < bytes; at += page_bytes) {
    const std::size_t piece = std::min(page_bytes, bytes - at);
    if (std::memcmp(memory + at, zeros.data(), piece) == 0) continue;
    writer.seek(at).throw_if_error();
    writer.write(memory + at, piece);
  }
  writer.close().throw_if_error();
  fs::resize_file(to, bytes);
}

void copy_logs(const std::string& from, const std::string& to) {
  fs::create_directory(to);
  for (const auto& entry : fs::directory_iterator(from)) {
    copy_log(entry.path().string(), to + "/" + entry.path().filename().string());
  }
}

[[noreturn]] void refuse(const std::string& folder, const std::string& why) {
  throw std::runtime_error(fmt::format("{}: {}", folder, why));
}

Record record_of(const Json& json, const std::string& folder) {
  if (json.at("schema").get<unsigned>() != record_schema) {
    refuse(folder, "another version of sluice has written this record");
  }
  Record record{.logs = folder + "/logs",
                .machine = json.at("machine").get<std::string>(),
                .ranks = json.at("ranks").get<unsigned>(),
                .command = json.at("command").get<std::vector<std::string>>(),
                .not_covered = json.at("not_covered").get<std::string>(),
                .covers_children = json.at("covers_children").get<bool>(),
                .wait_status = json.at("wait_status").get<int>(),
                .still_runs = json.at("still_runs").get<bool>(),
                .wall_s = json.at("wall_s").get<double>(),
                .processor_s = json.at("processor_s").get<double>(),
                .processors = json.at("processors").get<double>(),
                .before = times_of(json.at("before")),
                .after = times_of(json.at("after")),
                .to_time_of_day_ns = json.at("to_time_of_day_ns").get<std::int64_t>(),
                .tick_s = json.at("tick_s").get<double>()};
  if (!json.at("rank").is_null()) record.rank = json.at("rank").get<unsigned>();
  if (record.command.empty()) refuse(folder, "this record has no command");
  return record;
}

}  // namespace

Record record_of_this_machine() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return {.logs = {},
          .machine = name.data(),
          .processors = static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN)),
          .to_time_of_day_ns = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC)};
}

void write_record(const Record& record, const std::string& folder) {
  const Json json = {{"schema", record_schema},
                     {"machine", record.machine},
                     {"rank", record.rank ? Json(*record.rank) : Json(nullptr)},
                     {"ranks", record.ranks},
                     {"command", record.command},
                     {"not_covered", record.not_covered},
                     {"covers_children", record.covers_children},
                     {"wait_status", record.wait_status},
                     {"still_runs", record.still_runs},
                     {"wall_s", record.wall_s},
                     {"processor_s", record.processor_s},
                     {"processors", record.processors},
                     {"before", json_of(record.before)},
                     {"after", json_of(record.after)},
                     {"to_time_of_day_ns", record.to_time_of_day_ns},
                     {"tick_s", record.tick_s > 0 ? record.tick_s : measured_tick_s()}};
  const std::string unfinished = json_path(folder) + ".new";
  const std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace);
  write_file(unfinished, text, {.permissions = 0600}).throw_if_error();
  fs::rename(unfinished, json_path(folder));
}

bool has_record(const std::string& folder) {
  std::error_code ignored;
  return fs::exists(json_path(folder), ignored);
}

Record read_record(const std::string& folder) {
  std::string text;
  if (const Status status = read_file(json_path(folder), text); !status.ok()) {
    throw std::runtime_error(status.message());
  }
  try {
    return record_of(Json::parse(text), folder);
  } catch (const Json::parse_error& error) {
    refuse(folder, fmt::format("record.json is not whole: it is not valid JSON at byte {}. Remove "
                               "this folder, and trace its program again",
                               error.byte));
  } catch (const Json::exception& error) {
    refuse(folder, fmt::format("this is no record of sluice trace ({})", error.what()));
  }
}

void keep(const Record& record, const std::string& parent) {
  std::string made = parent + "/.sluice-unfinished-XXXXXX";
  if (::mkdtemp(made.data()) == nullptr) {
    refuse(parent, fmt::format("no record can be kept there: {}", std::strerror(errno)));
  }
  try {
    copy_logs(record.logs, made + "/logs");
    write_record(record, made);
  } catch (const std::exception&) {
    std::error_code ignored;
    fs::remove_all(made, ignored);
    throw;
  }
  const std::string unique = made.substr(made.size() - 6);
  const std::string rank = record.rank ? fmt::format("{:06}-", *record.rank) : "";
  fs::rename(made, fmt::format("{}/{}{}{}-{}", parent, kept_begins, rank, record.machine, unique));
}

std::vector<Record> kept_records(const std::string& parent) {
  std::vector<Record> records;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(parent, failed)) {
    if (!entry.path().filename().string().starts_with(kept_begins)) continue;
    records.push_back(read_record(entry.path().string()));
  }
  if (failed && failed != std::errc::no_such_file_or_directory) refuse(parent, failed.message());
  if (records.empty()) {
    refuse(parent,
           "there is no record of sluice trace. Make some with: "
           "mpirun -n 4 sluice trace --merge DIR -- CMD");
  }
  std::ranges::sort(records, [](const Record& a, const Record& b) {
    return std::tie(a.rank, a.machine, a.logs) < std::tie(b.rank, b.machine, b.logs);
  });
  return records;
}

}  // namespace sluice::trace
