#include "trace/advice/copied_pieces.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace sluice::trace {
namespace {

using preload::Call;

bool are_nearly_equal(std::uint64_t a, std::uint64_t b) {
  return 10 * std::min(a, b) >= 9 * std::max(a, b);
}

// A language or a library has a buffer of its own for small pieces, and words of its own.
bool is_about(const Profile& profile, const Advice& advice, const KindOfAdvice& kind, Call call) {
  const Use& use = profile.uses[advice.use];
  const bool is_small = advice.kind == kind && advice.cure.empty() && !advice.is_of_language;
  return (is_small || advice.kind == kinds::small_buffer) && use.call == call &&
         S_ISREG(profile.files[use.file].kind) && !profile.sites[use.site].frames.empty();
}

bool are_copied(const Profile& profile, const Use& reads, const Use& writes) {
  const Frame& reader = profile.sites[reads.site].frames.front();
  const Frame& writer = profile.sites[writes.site].frames.front();
  return reads.file != writes.file && are_nearly_equal(reads.amount.calls, writes.amount.calls) &&
         are_nearly_equal(reads.amount.bytes, writes.amount.bytes) &&
         reader.function == writer.function && reader.module == writer.module &&
         reads.shares_a_process_with(writes);
}

constexpr const char* fix_of_one_copy =
    "One buffer serves the reads and the writes: read 64 KiB at a time, and write what was read, "
    "or what was made of it, by one call. Or let two FILEs gather the pieces (fread and fwrite; "
    "fdopen makes a FILE of a descriptor).";
constexpr const char* fix_of_several_files =
    "Give each of the files a buffer: let a FILE for each gather the pieces (fread and fwrite; "
    "fdopen makes a FILE of a descriptor), or read and write 64 KiB at a time.";

void unite(const std::vector<Advice*>& reads, Advice& writes) {
  writes.kind = kinds::small_copies;
  if (writes.cure.empty()) writes.fix = reads.size() == 1 ? fix_of_one_copy : fix_of_several_files;
  writes.by.clear();  // each read ends the gathering of `sluice run --coalesce`
  writes.run_saves_s.reset();
  writes.check = reads.front()->check;
  for (Advice* const each : reads) {
    each->kind = writes.kind;
    each->fix = writes.fix;
  }
}

}  // namespace

void unite_copied_pieces(const Profile& profile, std::vector<Advice>& all) {
  std::vector<Advice*> about_reads;  // thousands of files may have advice of other kinds
  for (Advice& advice : all) {
    if (is_about(profile, advice, kinds::tiny_reads, Call::read)) about_reads.push_back(&advice);
  }
  for (Advice& writes : all) {
    if (!is_about(profile, writes, kinds::tiny_writes, Call::write)) continue;
    const auto is_copied = [&](const Advice* reads, const Advice* by) {
      return is_about(profile, *by, kinds::tiny_writes, Call::write) &&
             are_copied(profile, profile.uses[reads->use], profile.uses[by->use]);
    };
    std::vector<Advice*> copied;
    std::ranges::copy_if(about_reads, std::back_inserter(copied),
                         [&](const Advice* reads) { return is_copied(reads, &writes); });
    if (copied.empty()) continue;
    // A function may copy several files, one after the other.
    const auto writers = std::ranges::count_if(
        all, [&](const Advice& other) { return is_copied(copied.front(), &other); });
    if (writers > 1) copied.erase(copied.begin() + 1, copied.end());
    unite(copied, writes);
    std::erase_if(about_reads, [&](const Advice* reads) {
      return std::ranges::find(copied, reads) != copied.end();
    });
  }
}

}  // namespace sluice::trace
