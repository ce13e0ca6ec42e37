#include "recommend/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/result.h"
#include "bench/statistics.h"
#include "bench/table.h"
#include "command_line/output.h"
#include "command_line/quantity.h"

namespace sluice::recommend {
namespace {

using Json = nlohmann::ordered_json;
using bench::median_of;

bool is_recommended(const Finding& finding) { return finding.value != 0; }

// "saves 0.010 s of 0.022 s (46 ± 21 %), faster in 4 of 6 rounds"
std::string change_of(const Finding& finding) {
  const bool saves = finding.gain_share >= 0;
  return fmt::format("{} {:.3f} s {} {:.3f} s ({:.0f} ± {:.0f} %), faster in {} of {} rounds",
                     saves ? "saves" : "adds", std::abs(finding.gain_seconds),
                     saves ? "of" : "to the default's", finding.seconds,
                     100 * std::abs(finding.gain_share), 100 * finding.error_share,
                     finding.rounds_faster, finding.rounds);
}

// Why a value that seems to save time is not recommended.
std::string doubt_of(const Finding& finding) {
  if (finding.gain_share < 0 || finding.is_sure) return "";
  if (finding.gain_share < least_gain) return ": too little";
  return finding.gain_share < enough_gain ? ": a small gain, which another run may not find"
                                          : ": maybe by chance";
}

std::string line_of(const Finding& finding, const std::string& codec, bool has_other_values) {
  const std::string& name = settings()[finding.setting].name;
  const std::string& other = name_of(finding.setting, finding.best_other, codec);
  // Two values may save enough together although each of them alone does not.
  if (is_recommended(finding)) {
    return fmt::format(
        "  {:<12} {:<11} {}{}\n", name, other, change_of(finding),
        finding.is_sure || !has_other_values ? "" : ": enough together with the other values");
  }
  return fmt::format("  {:<12} leave the default ({}): {} {}{}\n", name,
                     name_of(finding.setting, 0, codec), other, change_of(finding),
                     doubt_of(finding));
}

// Other programs are a better reason than the disk, if they were seen.
std::string slowness_of(const Report& report) {
  const std::string others = bench::note_of_disturbance(report.disturbance, "");
  const Thirds& thirds = report.found.thirds;
  // Write-behind saves time only if a processor is free for it.
  std::string text =
      others.empty() ? "" : "\nOn an idle machine other values may save time.\n" + others;
  if (!thirds.are_apart()) return text;
  text += fmt::format(
      "\nThe defaults became slower meanwhile: they took {:.3f} s in the first third and {:.3f} s "
      "in the last.\nThe values were compared in the same rounds; their seconds are between the "
      "two speeds.\n",
      thirds.first_seconds, thirds.last_seconds);
  if (!others.empty()) return text;
  return text +
         "The disk may have a burst credit that is used up, or other programs may have used the "
         "disk. Run the\ncommand again when the disk has rested.\n";
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
                        ratio(timed, best), name_of(timed.choice, report.codec),
                        timed.choice == report.found.choice ? "  (recommended)" : "");
  }
  return text;
}

Json json_of(const Choice& choice, const std::string& codec) {
  Json json;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    json[settings()[i].name] = name_of(i, choice[i], codec);
  }
  return json;
}

Json json_of(const Finding& finding, const std::string& codec) {
  return {{"setting", settings()[finding.setting].name},
          {"recommended", name_of(finding.setting, finding.value, codec)},
          {"default", name_of(finding.setting, 0, codec)},
          {"best_other", name_of(finding.setting, finding.best_other, codec)},
          {"seconds", finding.seconds},
          {"gain_seconds", finding.gain_seconds},
          {"gain_share", finding.gain_share},
          {"error_share", finding.error_share},
          {"rounds", finding.rounds},
          {"rounds_faster", finding.rounds_faster},
          {"is_sure", finding.is_sure}};
}

Json json_of(const Timed& timed, const std::string& codec) {
  return {{"choice", json_of(timed.choice, codec)},
          {"median_s", median_of(timed.seconds)},
          {"seconds", timed.seconds}};
}

Json json_of(const Sweep& sweep, const std::string& codec) {
  Json json = {{"combinations", Json::array()}, {"finalists", Json::array()}};
  for (const Timed& timed : sweep.all) json["combinations"].push_back(json_of(timed, codec));
  const Timed& best = best_of(sweep.finalists);
  for (const Timed& timed : sweep.finalists) {
    Json finalist = json_of(timed, codec);
    finalist["ratio_to_best"] = ratio(timed, best);
    json["finalists"].push_back(finalist);
  }
  return json;
}

}  // namespace

std::string name_of(const Choice& choice, const std::string& codec) {
  std::string name;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    if (choice[i] == 0) continue;
    name += (name.empty() ? "" : ", ") + settings()[i].name + " " + name_of(i, choice[i], codec);
  }
  return name.empty() ? "the defaults" : name;
}

std::string text_of(const Report& report) {
  std::string text =
      fmt::format("{} ({}): {} of {}, durable at close\n\n", on_one_line(report.directory),
                  report.filesystem, format_bytes(report.bytes), on_one_line(report.sample));
  if (report.is_without_compression) {
    text += fmt::format(
        "  compression  not tried: FILE is written again and again, and needs at least {}\n",
        format_bytes(least_bytes_to_compress));
  }
  const auto recommended = std::ranges::count_if(report.found.findings, is_recommended);
  for (const Finding& finding : report.found.findings) {
    text += line_of(finding, report.codec, recommended > 1);
  }
  text += fmt::format(
      "\n± is the standard error. A value is recommended if it saves at least {:.0f} % of the "
      "time, and surely {:.0f} %:\nchance alone would hardly show this.\n\n{}\n",
      100 * enough_gain, 100 * least_gain, code_of(report.found.choice, report.codec));
  return text + slowness_of(report) + sweep_of(report);
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
               {"choice", json_of(report.found.choice, report.codec)},
               {"code", code_of(report.found.choice, report.codec)},
               {"settings", Json::array()}};
  for (const Finding& finding : report.found.findings) {
    json["settings"].push_back(json_of(finding, report.codec));
  }
  json["stages"] = Json::array();
  for (const std::vector<Timed>& stage : report.found.stages) {
    Json trials = Json::array();
    for (const Timed& timed : stage) trials.push_back(json_of(timed, report.codec));
    json["stages"].push_back(trials);
  }
  const Thirds& thirds = report.found.thirds;
  json["thirds"] = {{"first_s", thirds.first_seconds},
                    {"last_s", thirds.last_seconds},
                    {"are_apart", thirds.are_apart()}};
  json["disturbance"] = {{"others", report.disturbance.others},
                         {"host", report.disturbance.host},
                         {"is_busy", bench::is_busy(report.disturbance)}};
  if (report.sweep) json["sweep"] = json_of(*report.sweep, report.codec);
  return json.dump(2) + "\n";
}

}  // namespace sluice::recommend
