#include "trace/advice/copied_pieces.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace sluice::trace {
namespace {

using preload::Call;

bool are_nearly_equal(std::uint64_t a, std::uint64_t b) {
  return 10 * std::min(a, b) >= 9 * std::max(a, b);
}

// A language or a library has a buffer of its own, and words of its own.
bool is_about(const Profile& profile, const Advice& advice, std::string_view id, Call call) {
  const Use& use = profile.uses[advice.use];
  return advice.id == id && use.call == call && advice.cure.empty() && !advice.is_of_language &&
         S_ISREG(profile.files[use.file].kind) && !profile.sites[use.site].frames.empty();
}

bool have_one_buffer(const Profile& profile, const Use& reads, const Use& writes) {
  const Frame& reader = profile.sites[reads.site].frames.front();
  const Frame& writer = profile.sites[writes.site].frames.front();
  return reads.file != writes.file && are_nearly_equal(reads.amount.calls, writes.amount.calls) &&
         are_nearly_equal(reads.amount.bytes, writes.amount.bytes) &&
         reader.function == writer.function && reader.module == writer.module &&
         reads.shares_a_process_with(writes);
}

void unite(Advice& reads, Advice& writes) {
  reads.id = writes.id = "small-copies";
  reads.fix = writes.fix =
      "One buffer is for both: read 64 KiB at a time, and write what was read, or what was made of "
      "it, by one call. Or let two FILEs gather the pieces (fread and fwrite; fdopen makes a FILE "
      "of a descriptor).";
  writes.by.clear();  // each read ends the gathering of `sluice run --coalesce`
  writes.run_saves_s.reset();
  writes.check = reads.check;
}

}  // namespace

void unite_copied_pieces(const Profile& profile, std::vector<Advice>& all) {
  std::vector<Advice*> about_reads;  // thousands of files may have advice of other kinds
  for (Advice& advice : all) {
    if (is_about(profile, advice, "tiny-reads", Call::read)) about_reads.push_back(&advice);
  }
  for (Advice& writes : all) {
    if (!is_about(profile, writes, "tiny-writes", Call::write)) continue;
    const auto reads = std::ranges::find_if(about_reads, [&](const Advice* advice) {
      return have_one_buffer(profile, profile.uses[advice->use], profile.uses[writes.use]);
    });
    if (reads == about_reads.end()) continue;
    unite(**reads, writes);
    about_reads.erase(reads);
  }
}

}  // namespace sluice::trace
