#include "trace/costs/language_costs.h"

#include <algorithm>

namespace sluice::trace {
namespace {

using preload::Call;

struct Work {
  std::string_view language;
  double write_ns;
  double read_ns;
  double seek_ns;
  double opening_ns;
};

// The most of each kind in docs/measured/language-calls.json: for Python by the module wave, by
// `readline` without a buffer, and by `seek` of a text; for Perl by a handle with an encoding; for
// Node by console.log; for a shell by `read`. The openings are those of
// docs/measured/amd-zen4-language-openings.txt (Ruby was not measured).
constexpr Work measured[] = {
    {"Python", 1340, 380, 3720, 7000}, {"Perl", 510, 0, 0, 1500}, {"Node", 2790, 850, 850, 3000},
    {"Ruby", 100, 0, 40, 7000},        {"PHP", 10, 0, 0, 1500},   {"Tcl", 80, 240, 240, 1700},
    {"Lua", 80, 100, 0, 1600},         {"awk", 0, 0, 0, 2000},    {"shell", 1120, 1120, 1120, 1100},
};

// Programs do other work between such calls, which pushes code and data out of the caches of the
// processor. So in the programs of benchmarks/mended a call took up to 550 ns more than itself also
// where the loops of the measurement took less.
constexpr double least_ns = 600;

struct Start {
  std::string_view language;
  double least_s;
};

// Half of what it took in docs/measured/amd-zen4-interpreters.txt or less: other processors are
// faster, and so are other versions. (For jq, 1.6 was measured.)
constexpr Start starts[] = {{"Node", 30e-3},  {"Python", 4e-3}, {"PHP", 5e-3},
                            {"Perl", 0.7e-3}, {"jq", 1e-3},     {"Lua", 0.5e-3}};

double of_kind_ns(const Work& work, Call call) {
  using enum Call;
  if (call == lseek || call == fseek) return work.seek_ns;
  const bool reads = call == read || call == readv || call == pread || call == preadv ||
                     call == fread || call == fgetc || call == fgets || call == getline;
  return reads ? work.read_ns : work.write_ns;
}

// `ns_of` gives the work of one language.
template <typename NsOf>
double most_s(std::string_view language, const NsOf& ns_of) {
  double most_ns = least_ns;
  const auto* const known = std::ranges::find(measured, language, &Work::language);
  for (const Work& work : measured) {
    const bool counts = known == std::end(measured) || &work == known;
    if (counts) most_ns = std::max(most_ns, ns_of(work));
  }
  return most_ns * 1e-9;
}

}  // namespace

double most_work_around_call_s(std::string_view language, Call call) {
  return most_s(language, [&](const Work& work) { return of_kind_ns(work, call); });
}

double most_work_around_opening_s(std::string_view language) {
  return most_s(language, [](const Work& work) { return work.opening_ns; });
}

double least_start_s(std::string_view language) {
  const auto* const known = std::ranges::find(starts, language, &Start::language);
  return known == std::end(starts) ? 0 : known->least_s;
}

}  // namespace sluice::trace
