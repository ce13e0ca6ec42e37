#include "trace/own_terms.h"

#include <fmt/format.h>

#include "command_line/quantity.h"

namespace sluice::trace {

// Without a buffer of its own, a std::istream takes each byte by getc. To look at a byte, it takes
// the byte and puts it back by ungetc.
void OwnTerms::count_bytes_put_back(Advice& advice) const {
  constexpr double felt_share = 0.5;  // a call that is timed on its own seems to take twice as long
  const Use& use = profile_.uses[advice.use];
  if (!profile_.sites[use.site].by_istream) return;
  for (const Use& other : profile_.uses) {
    if (other.call != preload::Call::ungetc || other.site != use.site) continue;
    if (other.file != use.file) continue;
    const double saved_s = felt_share * other.amount.time.copying_s;
    advice.saved_s += saved_s;
    if (advice.least_saved_s) *advice.least_saved_s += saved_s;
    advice.seen += fmt::format("; {} bytes put back", format_count(other.amount.calls));
  }
}

void OwnTerms::say(Advice& advice) const {
  const Runtime& runtime = runtimes_.of(profile_.uses[advice.use]);
  advice.runtime = runtime.name;
  advice.is_of_database = runtime.kind == Runtime::Kind::database;
  advice.cure = cure_in(runtime, advice.id);
  if (!advice.cure.empty()) advice.fix = advice.cure;
  if (advice.id == "char-at-a-time") count_bytes_put_back(advice);
  if (runtime.seeks_back && advice.id == "seek-before-read") {
    advice.keeps_file = true;  // the reads have the cause of the seeks
    advice.check = "the same command under sluice trace: fewer reads and seeks";
  }
  if (runtime.kind == Runtime::Kind::tool && advice.by.empty()) {
    advice.check = "the other program under sluice trace: fewer calls";
  }
  if (advice.is_of_database) {
    advice.by.clear();
    advice.unchanged.clear();
    advice.check = "the same command under sluice trace: fewer calls";
    advice.why += " The database's own work for these calls comes on top, and is not counted.";
  }
  if (!advice.unchanged.empty()) advice.fix += " " + advice.unchanged;
}

}  // namespace sluice::trace
