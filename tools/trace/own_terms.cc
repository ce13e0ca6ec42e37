#include "trace/own_terms.h"

namespace sluice::trace {

void OwnTerms::say(Advice& advice) const {
  const Runtime& runtime = runtimes_.of(profile_.uses[advice.use]);
  advice.runtime = runtime.name;
  advice.is_of_database = runtime.kind == Runtime::Kind::database;
  if (std::string cure = cure_in(runtime, advice.id); !cure.empty()) advice.fix = std::move(cure);
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
