#include "trace/profile/ranks.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "trace/profile/mpi_itself.h"

namespace sluice::trace {
namespace {

// Of at least one value.
double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<RankTotal> totals_of(const Profile& profile, double& of_mpi_itself_s) {
  std::map<unsigned, RankTotal> totals;
  for (const Process& process : profile.processes) {
    if (!process.rank) continue;
    RankTotal& total = totals[*process.rank];
    total.rank = *process.rank;
    total.machine = process.machine;
    total.wall_s = std::max(total.wall_s, process.wall_s);
  }
  for (const Use& use : profile.uses) {
    if (use.by_rank.empty()) continue;
    const bool is_of_mpi = is_of_mpi_itself(profile, use);
    for (const auto& [rank, share] : use.by_rank) {
      if (is_of_mpi) of_mpi_itself_s += share.time.total_s();
      if (!is_of_mpi) totals[rank].share += share;
    }
  }
  std::vector<RankTotal> all;
  for (const auto& [rank, total] : totals) all.push_back(total);
  std::ranges::stable_sort(all, std::greater(),
                           [](const RankTotal& of) { return of.share.time.total_s(); });
  return all;
}

// All files of one function and place count together: the ranks may have files of their own.
struct CallSite {
  std::map<unsigned, double> seconds{};  // by rank
  std::size_t longest_use = 0;           // of the rank with the most I/O time
  double longest_s = -1;
};

std::map<std::pair<std::size_t, preload::Call>, CallSite> call_sites_of(const Profile& profile,
                                                                        unsigned slowest) {
  std::map<std::pair<std::size_t, preload::Call>, CallSite> sites;
  for (std::size_t i = 0; i < profile.uses.size(); ++i) {
    const Use& use = profile.uses[i];
    if (is_of_mpi_itself(profile, use)) continue;
    CallSite& site = sites[{use.site, use.call}];
    for (const auto& [rank, share] : use.by_rank) {
      const double seconds = share.time.total_s();
      site.seconds[rank] += seconds;
      if (rank != slowest || seconds <= site.longest_s) continue;
      site.longest_s = seconds;
      site.longest_use = i;
    }
  }
  return sites;
}

double median_of(const CallSite& site, std::size_t ranks) {
  std::vector<double> times;
  for (const auto& [rank, seconds] : site.seconds) times.push_back(seconds);
  times.resize(ranks);  // the others have not made such calls
  return median_of(times);
}

std::vector<RankDifference> differences_of(const Profile& profile, const RankComparison& all) {
  constexpr double least_share = 0.1;
  constexpr double shortest_s = 0.010;  // as in advice
  const RankTotal& slowest = all.ranks.front();
  const double more_in_all_s = slowest.share.time.total_s() - all.median_s;
  if (more_in_all_s < shortest_s) return {};
  const double least_s = std::max(shortest_s, least_share * more_in_all_s);
  std::vector<RankDifference> differences;
  for (const auto& [name, site] : call_sites_of(profile, slowest.rank)) {
    if (site.longest_s < 0) continue;
    const RankDifference difference{site.longest_use, site.seconds.at(slowest.rank),
                                    median_of(site, all.ranks.size())};
    const double more_s = difference.slowest_s - difference.median_s;
    if (more_s >= least_s) differences.push_back(difference);
  }
  std::ranges::stable_sort(differences, std::greater(),
                           [](const RankDifference& of) { return of.slowest_s - of.median_s; });
  return differences;
}

}  // namespace

RankComparison ranks_of(const Profile& profile) {
  RankComparison all;
  all.ranks = totals_of(profile, all.of_mpi_itself_s);
  if (all.ranks.size() < 2) return {};
  std::vector<double> times;
  for (const RankTotal& total : all.ranks) times.push_back(total.share.time.total_s());
  all.median_s = median_of(times);
  all.differences = differences_of(profile, all);
  return all;
}

}  // namespace sluice::trace
