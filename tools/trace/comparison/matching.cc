#include "trace/comparison/matching.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace sluice::trace {
namespace {

constexpr const char* digits = "0123456789";
constexpr const char* unknown_function = "(unknown)";

// "out-*.txt" for "out-17.txt"
std::string pattern_of(const std::string& name) {
  std::string pattern;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t number = std::min(name.find_first_of(digits, at), name.size());
    pattern += name.substr(at, number - at);
    if (number < name.size()) pattern += '*';
    at = std::min(name.find_first_not_of(digits, number), name.size());
  }
  return pattern;
}

std::string base_of(const std::string& name) { return name.substr(name.rfind('/') + 1); }

std::string folder_of(const std::string& name) { return name.substr(0, name.rfind('/') + 1); }

std::set<std::string> patterns_of(const std::vector<TracedSite>& sites) {
  std::set<std::string> patterns;
  for (const TracedSite& site : sites) patterns.insert(pattern_of(site.file));
  return patterns;
}

// The patterns that are not among `others`, by the part after the folder.
std::map<std::string, std::vector<std::string>> bases_of(const std::set<std::string>& patterns,
                                                         const std::set<std::string>& others) {
  std::map<std::string, std::vector<std::string>> bases;
  for (const std::string& pattern : patterns) {
    if (!others.contains(pattern)) bases[base_of(pattern)].push_back(pattern);
  }
  return bases;
}

// Patterns of the second run for files that were in another folder in the first run.
std::map<std::string, std::string> moved_files(const std::vector<TracedSite>& before,
                                               const std::vector<TracedSite>& after) {
  const std::set<std::string> first = patterns_of(before);
  const std::set<std::string> second = patterns_of(after);
  const auto gone = bases_of(first, second);
  std::map<std::string, std::string> moved;
  for (const auto& [base, names] : bases_of(second, first)) {
    const auto from = gone.find(base);
    if (from == gone.end() || from->second.size() != 1 || names.size() != 1) continue;
    moved[names.front()] = from->second.front();
  }
  return moved;
}

using Key = std::pair<std::string, std::string>;  // the files and the line of a part
using Parts = std::map<Key, SitePart>;

// Sites of both runs that may match each other.
struct Group {
  Parts before{};
  Parts after{};
  bool is_in_both() const { return !before.empty() && !after.empty(); }
};

using Groups = std::map<std::tuple<std::string, std::string, std::string>, Group>;

void add(Groups& groups, const std::vector<TracedSite>& sites, Parts Group::*run,
         const std::map<std::string, std::string>& moved) {
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const TracedSite& site = sites[i];
    std::string files = pattern_of(site.file);
    if (const auto old = moved.find(files); old != moved.end()) files = old->second;
    Parts& parts = groups[{site.call, site.function, files}].*run;
    parts[{files, site.line}] += SitePart{site.cost, {place_of(site)}, {site.file}, {i}};
  }
}

bool has_same_keys(const Parts& a, const Parts& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& one, const auto& other) { return one.first == other.first; });
}

SitePart sum_of(const Parts& parts) {
  SitePart sum;
  for (const auto& [key, part] : parts) sum += part;
  return sum;
}

// `files` are the files of the whole group.
void append(std::vector<SiteChange>& changes, const std::string& call, const std::string& files,
            const Group& group) {
  if (group.is_in_both() && !has_same_keys(group.before, group.after)) {
    changes.push_back({call, files, sum_of(group.before), sum_of(group.after)});
    return;
  }
  std::map<Key, SiteChange> pairs;
  for (const auto& [key, part] : group.before) pairs[key].before = part;
  for (const auto& [key, part] : group.after) pairs[key].after = part;
  for (auto& [key, pair] : pairs) {
    pair.call = call;
    pair.files = key.first;
    changes.push_back(std::move(pair));
  }
}

}  // namespace

SitePart& SitePart::operator+=(const SitePart& other) {
  cost += other.cost;
  places.insert(other.places.begin(), other.places.end());
  files.insert(other.files.begin(), other.files.end());
  indexes.insert(indexes.end(), other.indexes.begin(), other.indexes.end());
  return *this;
}

std::vector<SiteChange> matched(const std::vector<TracedSite>& before,
                                const std::vector<TracedSite>& after) {
  Groups of_files;
  add(of_files, before, &Group::before, {});
  add(of_files, after, &Group::after, moved_files(before, after));
  std::vector<SiteChange> changes;
  Groups of_folders;
  for (const auto& [key, group] : of_files) {
    const auto& [call, function, files] = key;
    if (group.is_in_both() || function == unknown_function) {
      append(changes, call, files, group);
    } else {
      Group& folder = of_folders[{call, function, folder_of(files)}];
      folder.before.insert(group.before.begin(), group.before.end());
      folder.after.insert(group.after.begin(), group.after.end());
    }
  }
  for (const auto& [key, group] : of_folders) {
    const auto& [call, function, folder] = key;
    append(changes, call, folder + "*", group);
  }
  return changes;
}

}  // namespace sluice::trace
