#include "trace/own_terms.h"

namespace sluice::trace {

void OwnTerms::say(Advice& advice) const {
  const Runtime& runtime = runtimes_.of(profile_.uses[advice.use]);
  advice.runtime = runtime.name;
  advice.is_of_database = runtime.kind == Runtime::Kind::database;
  if (std::string cure = cure_in(runtime, advice.id); !cure.empty()) advice.fix = std::move(cure);
  if (advice.is_of_database) {
    advice.by.clear();
    advice.unchanged.clear();
    advice.check = "the same command under sluice trace: fewer calls";
  }
  if (!advice.unchanged.empty()) advice.fix += " " + advice.unchanged;
}

}  // namespace sluice::trace
