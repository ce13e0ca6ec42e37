#include "bench/json.h"

#include <nlohmann/json.hpp>
#include <optional>

namespace sluice::bench {
namespace {

// Keeps the fields in the order of the code below.
using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const Machine& machine) {
  return {{"cpu", machine.cpu},
          {"cores", machine.cores},
          {"memory_bytes", machine.memory_bytes},
          {"kernel", machine.kernel},
          {"libc", machine.libc},
          {"compiler", machine.compiler},
          {"transparent_huge_pages", machine.transparent_huge_pages},
          {"date", machine.date}};
}

Json json_of(const Spread& spread) {
  return {{"min", spread.min}, {"median", spread.median}, {"max", spread.max}};
}

Json json_of(const std::optional<Latency>& latency) {
  if (!latency) return nullptr;
  return {{"p50", latency->p50_s},   {"p90", latency->p90_s}, {"p99", latency->p99_s},
          {"p999", latency->p999_s}, {"max", latency->max_s}, {"count", latency->count}};
}

Json json_of(const Measurement& round) {
  return {{"wall_s", round.wall_s},
          {"user_s", round.user_s},
          {"sys_s", round.sys_s},
          {"sleep_s", round.sleep_s},
          {"syscalls", or_null(round.syscalls)},
          {"page_faults", round.page_faults},
          {"voluntary_switches", round.voluntary_switches},
          {"involuntary_switches", round.involuntary_switches},
          {"peak_rss_bytes", round.peak_rss_bytes},
          {"latency_s", json_of(round.latency)}};
}

void add_figures(Json& json, const Row& row) {
  json["wall_s"] = json_of(row.wall_s);
  json["user_s"] = json_of(row.user_s);
  json["sys_s"] = json_of(row.sys_s);
  json["sleep_s"] = json_of(row.sleep_s);
  json["syscalls"] = or_null(row.syscalls);
  json["page_faults"] = row.page_faults;
  json["voluntary_switches"] = row.voluntary_switches;
  json["involuntary_switches"] = row.involuntary_switches;
  json["peak_rss_bytes"] = row.peak_rss_bytes;
  json["latency_s"] = json_of(row.latency);
  if (row.stored_bytes) json["stored_bytes"] = *row.stored_bytes;
  json["ratio_to_limit"] = or_null(row.ratio_to_limit);
  json["ratio_to_baseline"] = or_null(row.ratio_to_baseline);
  json["cpu_ratio_to_limit"] = or_null(row.cpu_ratio_to_limit);
  Json& rounds = json["rounds"] = Json::array();
  for (const Measurement& round : row.rounds) rounds.push_back(json_of(round));
}

// A row that failed has no figures, so that no reader takes figures for a result.
Json json_of(const Row& row, const std::string& group) {
  Json json = {{"strategy", row.strategy},
               {"kind", to_string(row.kind)},
               {"group", group},
               {"buffer_bytes", row.buffer_bytes},
               {"operations", row.operations},
               {"bytes", row.bytes},
               {"scaled", row.scaled},
               {"verified", row.verified()}};
  if (row.verified()) {
    add_figures(json, row);
  } else {
    json["error"] = row.error;
  }
  return json;
}

Json json_of(const ExperimentResult& experiment) {
  Json json = {{"id", experiment.id}, {"title", experiment.title}, {"bytes", experiment.bytes}};
  if (!experiment.error.empty()) json["error"] = experiment.error;
  Json& disturbances = json["disturbances"] = Json::array();
  for (const GroupResult& group : experiment.groups) {
    disturbances.push_back({{"group", group.title},
                            {"others", group.disturbance.others},
                            {"host", group.disturbance.host}});
  }
  Json& rows = json["rows"] = Json::array();
  for (const GroupResult& group : experiment.groups) {
    for (const Row& row : group.rows) rows.push_back(json_of(row, group.title));
  }
  return json;
}

}  // namespace

std::string json_of(const Report& report) {
  Json json = {{"schema", 1},
               {"machine", json_of(report.machine)},
               {"directory", report.directory},
               {"filesystem", report.filesystem},
               {"runs", report.rounds},  // the files of results in the repository have this key
               {"touched_memory_bytes", report.touched_memory_bytes},
               {"quick", report.quick},
               {"interrupted", report.interrupted},
               {"libraries_left_out", report.libraries_left_out}};
  Json& experiments = json["experiments"] = Json::array();
  for (const ExperimentResult& experiment : report.experiments) {
    experiments.push_back(json_of(experiment));
  }
  // Paths and messages may hold bytes that are not UTF-8. dump() replaces them and does not throw.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sluice::bench
