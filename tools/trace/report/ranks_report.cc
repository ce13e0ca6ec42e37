#include "trace/report/ranks_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "command_line/output.h"
#include "command_line/quantity.h"
#include "trace/profile/ranks.h"

namespace sluice::trace {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_ranks = 10;
constexpr std::size_t max_differences = 3;

std::string heading_of(const RankComparison& all) {
  const RankTotal& slowest = all.ranks.front();
  const double slowest_s = slowest.share.time.total_s();
  std::string text = fmt::format("\n{} ranks: rank {} has the most I/O time, {:.4f} s",
                                 all.ranks.size(), slowest.rank, slowest_s);
  if (all.median_s > 0) {
    return text + fmt::format(", {:.2f} times the median of {:.4f} s\n", slowest_s / all.median_s,
                              all.median_s);
  }
  return text + "; the median is 0\n";
}

std::string line_of(const RankTotal& of, bool names_machines) {
  const Time& time = of.share.time;
  return fmt::format("{:>9.4f} {:>9.4f} {:>9.4f} {:>9.4f} {:>14} {:>10}  {}{}\n", time.copying_s,
                     time.system_s, time.sleep_s, of.wall_s, format_count(of.share.calls),
                     format_bytes_short(of.share.bytes), of.rank,
                     names_machines ? " on " + on_one_line(of.machine) : "");
}

}  // namespace

std::string ranks_text(const Profile& profile,
                       const std::function<std::string(const Use&)>& use_text) {
  const RankComparison all = ranks_of(profile);
  if (all.ranks.empty()) return "";
  std::string text = heading_of(all);
  for (std::size_t i = 0; i < std::min(all.differences.size(), max_differences); ++i) {
    const RankDifference& of = all.differences[i];
    text += fmt::format(
        "  {:.4f} s more than the median of the ranks for this call: {} ({:.4f} s against {:.4f} "
        "s)\n",
        of.slowest_s - of.median_s, use_text(profile.uses[of.use]), of.slowest_s, of.median_s);
  }
  if (all.of_mpi_itself_s > 0) {
    text += fmt::format(
        "  Not counted here: what MPI itself does on sockets, pipes and at its start, {:.4f} s of "
        "all ranks\n",
        all.of_mpi_itself_s);
  }
  text += fmt::format("{:>9} {:>9} {:>9} {:>9} {:>14} {:>10}  {}\n", "copying s", "system s",
                      "waiting s", "lasted s", "calls", "bytes", "rank");
  const bool names_machines = std::ranges::any_of(
      all.ranks, [&](const RankTotal& of) { return of.machine != all.ranks.front().machine; });
  const std::size_t listed = std::min(all.ranks.size(), max_ranks);
  for (std::size_t i = 0; i < listed; ++i) text += line_of(all.ranks[i], names_machines);
  if (all.ranks.size() > listed) {
    text += fmt::format("  and {} more; --json has them all\n", all.ranks.size() - listed);
  }
  return text;
}

Json ranks_json(const Profile& profile, const std::function<std::size_t(std::size_t)>& index_of) {
  const RankComparison all = ranks_of(profile);
  if (all.ranks.empty()) return nullptr;
  Json differences = Json::array();
  for (const RankDifference& of : all.differences) {
    differences.push_back(
        {{"call_site", index_of(of.use)}, {"slowest_s", of.slowest_s}, {"median_s", of.median_s}});
  }
  Json each = Json::array();
  for (const RankTotal& of : all.ranks) {
    each.push_back({{"rank", of.rank},
                    {"machine", of.machine},
                    {"wall_s", of.wall_s},
                    {"calls", of.share.calls},
                    {"bytes", of.share.bytes},
                    {"time",
                     {{"copying_s", of.share.time.copying_s},
                      {"system_s", of.share.time.system_s},
                      {"sleep_s", of.share.time.sleep_s}}}});
  }
  return {{"slowest", all.ranks.front().rank},
          {"slowest_s", all.ranks.front().share.time.total_s()},
          {"median_s", all.median_s},
          {"of_mpi_itself_s", all.of_mpi_itself_s},
          {"differences", std::move(differences)},
          {"each", std::move(each)}};
}

}  // namespace sluice::trace
