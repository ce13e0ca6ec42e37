#include "recommend/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/statistics.h"
#include "bench/table.h"
#include "command_line/output.h"
#include "command_line/quantity.h"

namespace sluice::recommend {
namespace {

using Json = nlohmann::ordered_json;
using bench::median_of;

const std::string& value_name(const Finding& finding, std::size_t value) {
  return settings()[finding.setting].values[value].name;
}

bool is_recommended(const Finding& finding) { return finding.value != 0; }

std::string line_of(const Finding& finding) {
  const std::string& name = settings()[finding.setting].name;
  const std::string& other = value_name(finding, finding.best_other);
  if (is_recommended(finding)) {
    return fmt::format(
        "  {:<13}{:<12}saves {:.3f} s of {:.3f} s ({:.0f} ± {:.0f} %), faster in {} of {} rounds\n",
        name, other, finding.gain_seconds, finding.seconds, 100 * finding.gain_share,
        100 * finding.error_share, finding.rounds_faster, finding.rounds);
  }
  const double gain = 100 * finding.gain_share;
  const std::string change = fmt::format("{} {:.0f} ± {:.0f} %", gain >= 0 ? "saves" : "costs",
                                         std::abs(gain), 100 * finding.error_share);
  return fmt::format("  {:<13}leave the default ({}): {} {}, faster in {} of {} rounds\n", name,
                     value_name(finding, 0), other, change, finding.rounds_faster, finding.rounds);
}

std::string burst_of(const Thirds& thirds) {
  if (!thirds.are_apart()) return "";
  return fmt::format(
      "\nThe disk became slower meanwhile: the defaults took {:.2f} s in the first third and "
      "{:.2f} s in "
      "the last.\nIt may have a burst credit that is used up. The values were compared in the same "
      "rounds; their\nseconds are between the two speeds. Run the command again when the disk has "
      "rested.\n",
      thirds.first_seconds, thirds.last_seconds);
}

// With a processor less, other values are the fastest.
std::string busy_of(const Disturbance& disturbance) {
  const std::string note = bench::note_of(disturbance);
  if (note.empty()) return "";
  return "\nThe machine was busy, so on an idle machine other values may save time.\n" + note;
}

double ratio(const Timed& timed, const Timed& to) {
  return median_of(timed.seconds) / median_of(to.seconds);
}

const Timed& best_of(const std::vector<Timed>& all) {
  return *std::ranges::min_element(all, {},
                                   [](const Timed& timed) { return median_of(timed.seconds); });
}

std::string sweep_of(const Report& report) {
  if (!report.sweep) return "";
  const Timed& best = best_of(report.sweep->finalists);
  std::string text =
      fmt::format("\nOf {} combinations, the fastest ones and the recommended one:\n",
                  report.sweep->all.size());
  for (const Timed& timed : report.sweep->finalists) {
    text += fmt::format("  {:6.3f} s  {:5.2f} x the best  {}{}\n", median_of(timed.seconds),
                        ratio(timed, best), name_of(timed.choice),
                        timed.choice == report.found.choice ? "  (recommended)" : "");
  }
  return text;
}

Json json_of(const Choice& choice) {
  Json json;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    json[settings()[i].name] = settings()[i].values[choice[i]].name;
  }
  return json;
}

Json json_of(const Finding& finding) {
  return {{"setting", settings()[finding.setting].name},
          {"recommended", value_name(finding, finding.value)},
          {"default", value_name(finding, 0)},
          {"best_other", value_name(finding, finding.best_other)},
          {"seconds", finding.seconds},
          {"gain_seconds", finding.gain_seconds},
          {"gain_share", finding.gain_share},
          {"error_share", finding.error_share},
          {"rounds", finding.rounds},
          {"rounds_faster", finding.rounds_faster}};
}

Json json_of(const Timed& timed) {
  return {{"choice", json_of(timed.choice)},
          {"median_s", median_of(timed.seconds)},
          {"seconds", timed.seconds}};
}

Json json_of(const Sweep& sweep) {
  Json json = {{"combinations", Json::array()}, {"finalists", Json::array()}};
  for (const Timed& timed : sweep.all) json["combinations"].push_back(json_of(timed));
  const Timed& best = best_of(sweep.finalists);
  for (const Timed& timed : sweep.finalists) {
    Json finalist = json_of(timed);
    finalist["ratio_to_best"] = ratio(timed, best);
    json["finalists"].push_back(finalist);
  }
  return json;
}

}  // namespace

std::string name_of(const Choice& choice) {
  std::string name;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    if (choice[i] == 0) continue;
    name += (name.empty() ? "" : ", ") + settings()[i].name + " " +
            settings()[i].values[choice[i]].name;
  }
  return name.empty() ? "the defaults" : name;
}

std::string text_of(const Report& report) {
  std::string text =
      fmt::format("{} ({}): {} of {}, durable at close\n\n", on_one_line(report.directory),
                  report.filesystem, format_bytes(report.bytes), on_one_line(report.sample));
  if (report.is_without_compression) {
    text += fmt::format(
        "  compression  not tried: it would find the repetitions of a FILE of less than {}\n",
        format_bytes(least_bytes_to_compress));
  }
  for (const Finding& finding : report.found.findings) text += line_of(finding);
  text += fmt::format("\n{}\n", code_of(report.found.choice));
  return text + busy_of(report.disturbance) + burst_of(report.found.thirds) + sweep_of(report);
}

std::string json_of(const Report& report) {
  const bench::Machine& machine = report.machine;
  Json json = {{"schema", "sluice recommend 1"},
               {"machine",
                {{"cpu", machine.cpu},
                 {"cores", machine.cores},
                 {"memory_bytes", machine.memory_bytes},
                 {"kernel", machine.kernel},
                 {"date", machine.date}}},
               {"directory", report.directory},
               {"filesystem", report.filesystem},
               {"sample", report.sample},
               {"bytes", report.bytes},
               {"quick", report.is_quick},
               {"compression_was_tried", !report.is_without_compression},
               {"choice", json_of(report.found.choice)},
               {"code", code_of(report.found.choice)},
               {"settings", Json::array()}};
  for (const Finding& finding : report.found.findings) {
    json["settings"].push_back(json_of(finding));
  }
  json["disturbance"] = {{"others", report.disturbance.others}, {"host", report.disturbance.host}};
  const Thirds& thirds = report.found.thirds;
  json["thirds"] = {{"first_s", thirds.first_seconds},
                    {"last_s", thirds.last_seconds},
                    {"are_apart", thirds.are_apart()}};
  if (report.sweep) json["sweep"] = json_of(*report.sweep);
  return json.dump(2) + "\n";
}

}  // namespace sluice::recommend
