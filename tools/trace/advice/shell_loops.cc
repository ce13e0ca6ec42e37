#include "trace/advice/shell_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace sluice::trace {
namespace {

// What does the work of a command in a shell.
struct Means {
  std::string_view program;
  std::string_view means;
};
constexpr Means means[] = {{"basename", "`${path##*/}`"},
                           {"dirname", "`${path%/*}`"},
                           {"cut", "`read -r first rest` or `${line%% *}`"},
                           {"awk", "`read -r first rest` or `${line%% *}`"},
                           {"gawk", "`read -r first rest` or `${line%% *}`"},
                           {"mawk", "`read -r first rest` or `${line%% *}`"},
                           {"grep", "`case $line in *text*) ... esac`"},
                           {"expr", "`$((x + 1))`"},
                           {"sed", "in bash `${line//old/new}`"},
                           {"tr", "in bash `${line^^}` or `${line//old/new}`"},
                           {"date", "in bash `printf '%(%F)T'`"},
                           {"cat", "in bash `$(<file)`"}};

constexpr std::string_view parts_of_files[] = {"head", "tail", "sed"};
constexpr std::string_view databases[] = {"sqlite3", "psql", "mysql", "mariadb"};

std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_last = i + 1 == parts.size();
    text += (i == 0 ? "" : is_last ? " and " : ", ") + parts[i];
  }
  return text;
}

template <std::size_t count>
bool has_one_of(const std::set<std::string>& programs, const std::string_view (&names)[count]) {
  return std::ranges::any_of(
      names, [&](std::string_view name) { return programs.contains(std::string(name)); });
}

std::string own_means(const std::set<std::string>& programs) {
  std::vector<std::string> parts;
  std::string_view last;
  for (const Means& each : means) {
    if (!programs.contains(std::string(each.program))) continue;
    if (each.means == last) {
      parts.back().append(" and ").append(each.program);
    } else {
      parts.push_back(std::string(each.means).append(" for ").append(each.program));
    }
    last = each.means;
  }
  return parts.empty() ? "" : " The shell itself can do such work: " + listed(parts) + ".";
}

}  // namespace

std::string cure_of_shell_loop(const std::set<std::string>& programs, const std::string& most) {
  if (std::ranges::find(databases, most) != std::end(databases)) {
    return fmt::format(
        "Give all statements to one start of {0}, by its standard input, between `BEGIN;` and "
        "`COMMIT;`: `{{ echo 'BEGIN;'; LOOP; echo 'COMMIT;'; }} | {0} ...`, where the loop prints "
        "the statements.",
        most);
  }
  std::string cure =
      "Give one command all files or values at once, or let it read them from its standard input, "
      "in place of a command for each of them.";
  cure += own_means(programs);
  if (has_one_of(programs, parts_of_files)) {
    cure +=
        " Let one `while read -r line` or one awk go through a file, in place of a command "
        "that looks for each line.";
  }
  return cure + " If a command gives the same answer each time, run it once, before the loop.";
}

}  // namespace sluice::trace
