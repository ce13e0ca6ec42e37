#include "trace/advice/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

#include "trace/advice/calibration.h"
#include "trace/advice/causes.h"
#include "trace/advice/copied_pieces.h"
#include "trace/advice/kept_files.h"
#include "trace/advice/own_terms.h"
#include "trace/advice/situation.h"
#include "trace/advice/slower_readers.h"
#include "trace/costs/call_set.h"
#include "trace/logs/large_pages.h"
#include "trace/places/runtime.h"
#include "trace/profile/timeline.h"

namespace sluice::trace {

using preload::Call;

namespace {

constexpr double min_share = 0.01;
constexpr double min_s = 0.010;

constexpr Rule rules[] = {locked_by_database,
                          tiny_stdio_calls,
                          made_again,
                          tiny_prints,
                          char_at_a_time,
                          tiny_system_calls,
                          tiny_copies,
                          flush_after_each,
                          unbuffered_stream,
                          small_buffer,
                          read_again,
                          sync_after_each,
                          formatted_reads,
                          bytes_of_stream,
                          pieces_written,
                          pieces_of_node,
                          reopened,
                          synchronous_writes,
                          small_pieces_to_pipe,
                          mapped_in_pieces,
                          scanned_lines,
                          looked_up_again,
                          locked_for_each,
                          round_trips,
                          read_back,
                          seek_before_each_read,
                          seek_before_each_write,
                          unbuffered_messages,
                          pieces_read,
                          streams_of_copies,
                          unseen_temporary_files,
                          asked_again,
                          asked_in_a_row,
                          renewed_in_place,
                          rewritten_in_part,
                          removed_by_database,
                          here_strings,
                          mapped_anew,
                          cut_each_time,
                          scattered_writes,
                          replaced_again,
                          positions_of_stream,
                          copied_to_memory};

using RuleOfProgram = std::optional<Advice> (*)(const Profile&);
constexpr RuleOfProgram rules_of_program[] = {
    overlap_possible, cold_mapped_files, started_programs,    forked_copies,       turns_of_threads,
    temporary_files,  moved_by_copy,     connection_for_each, syncs_of_many_files, loose_objects};

// By the middle of each range: an upper end alone may be work that the advice saves in no case.
// What the user of the program cannot follow counts half.
void rank(std::vector<Advice>& all) {
  const auto worth = [](const Advice& of) {
    const bool is_usable = !of.is_for_authors || !of.by.empty();
    return (of.least_s() + of.saved_s) / 2 * (is_usable ? 1 : 0.5);
  };
  std::ranges::sort(all, std::greater(), worth);
}

// The part of the saving that needs no change of the program.
double saved_by_run_s(const Advice& advice) {
  return advice.by.empty() ? 0 : advice.run_saves_s.value_or(advice.saved_s);
}

// Whoever cannot change the program reads this first.
void say_what_run_saves(Advice& advice) {
  constexpr double least_shown_s = 0.0005;
  const double saved_s = saved_by_run_s(advice);
  if (saved_s < least_shown_s) return;
  const std::string words =
      advice.by == "run --coalesce"
          ? "Without a change, if the bytes may be written a little later, use "
            "`sluice run --coalesce`."
          : fmt::format("Without a change, `sluice {}` saves about {:.3f} s.", advice.by, saved_s);
  const std::string& first = advice.is_for_authors ? words : advice.fix;
  const std::string& second = advice.is_for_authors ? advice.fix : words;
  advice.fix = fmt::format("{} {}", first, second);
}

// True if the run has read code of the user's own: rake, irb and pytest are scripts of the system
// that run it.
bool has_read_own_code(const Profile& profile) {
  constexpr std::string_view ends[] = {".py",  ".pyc", ".rb",  ".pl", ".pm",  ".t",       ".js",
                                       ".mjs", ".lua", ".tcl", ".sh", ".php", "/Rakefile"};
  return std::ranges::any_of(profile.files, [&](const File& file) {
    const std::string& name = file.name;
    if (name.starts_with("/usr/") || name.starts_with("/etc/")) return false;
    return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
  });
}

std::string_view name_in(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// The file of the program of the system whose own calls these are. Empty if there is none.
std::string system_program_of(const Profile& profile, const Advice& advice) {
  const Use& use = profile.uses[advice.use];
  if (advice.is_of_language) {
    const bool is_of_script = first_process_of(profile, use) == profile.processes.data();
    const bool is_its_code =
        is_of_script && is_system_command(profile.script) && !has_read_own_code(profile);
    return is_its_code ? profile.script : "";
  }
  // A program of the system may call a library of the user's own, which can be changed.
  const auto& frames = profile.sites[use.site].frames;
  const auto frame = std::ranges::find_if_not(frames, is_system_library, &Frame::module);
  if (frame == frames.end() || !is_system_command(frame->module)) return "";
  // A command has a runtime of its own if some of its options are a cure.
  const bool is_of_c = advice.runtime == "C" || advice.runtime.empty();
  return is_of_c || advice.runtime == name_in(frame->module) ? frame->module : "";
}

// The users of a program of the system cannot change its calls.
void name_authors(const Profile& profile, Advice& advice) {
  if (advice.is_of_options || !advice.place.empty() || advice.uses.empty()) return;
  const std::string program = system_program_of(profile, advice);
  if (program.empty()) return;
  advice.is_for_authors = true;
  advice.fix = fmt::format("For the authors of {}: {}", name_in(program), advice.fix);
}

// How long the recorder works for these calls (docs/measured/trace-own-cost.txt). The times are
// two thirds of the measured ones, so that a large saving is not hidden.
double recorder_s(const Use& use) {
  constexpr CallSet bytes = {Call::fgetc, Call::fputc};
  constexpr CallSet texts = {Call::fprintf, Call::fscanf, Call::fgets, Call::getline};
  constexpr CallSet openings = {Call::open, Call::fopen, Call::close, Call::fclose};
  const double copy_s = bytes.contains(use.call) ? 2e-9 : texts.contains(use.call) ? 14e-9 : 5e-9;
  const double call_s = openings.contains(use.call) ? 250e-9 : least_system_call_s;
  const auto copies = static_cast<double>(std::min(use.amount.copies, use.amount.calls));
  return copy_s * copies + call_s * (static_cast<double>(use.amount.calls) - copies);
}

// No advice saves more than the program's time without the trace. The calls of threads at once
// share the recorder's time, and half of the time is left in any case.
double most_to_be_saved_s(const Profile& profile) {
  double all_s = 0;
  for (const Use& use : profile.uses) all_s += recorder_s(use);
  all_s += profile.start_cost.recorder_s() * static_cast<double>(profile.processes.size());
  const double trace_s = all_s / threads_at_once(profile);
  const double lasts_s = idle_machine_s(profile);
  return std::max(lasts_s / 2, lasts_s - trace_s);
}

// Code of a program that need not run is not to be changed.
void leave_out_calls_of_needless(const Profile& profile, std::vector<Advice>& all) {
  std::set<int> needless;
  for (const Advice& advice : all) {
    needless.insert(advice.processes.begin(), advice.processes.end());
  }
  if (needless.empty()) return;
  const auto is_needless = [&](std::size_t use) {
    return std::ranges::all_of(profile.uses[use].threads,
                               [&](const auto& thread) { return needless.contains(thread.first); });
  };
  std::erase_if(all, [&](const Advice& advice) {
    return !advice.uses.empty() && std::ranges::all_of(advice.uses, is_needless);
  });
}

// In a short run a tenth of it is noticed too: the program may run for longer with other data.
double least_noticed_s(double lasts_s) {
  constexpr double share = 0.1;
  constexpr double least_s = 0.005;
  const double in_short_run_s = std::clamp(share * lasts_s, least_s, min_s);
  return std::max(in_short_run_s, min_share * lasts_s);
}

// What a runtime's work adds may not be saved, so it does not count here. The work of a module that
// reads the same bytes very often is likely to be saved, and that of a program which reads them a
// few times may be. It counts by half if it is a large part of the whole time.
bool is_noticeable(const Advice& advice, double lasts_s) {
  const double likely_s = std::max(advice.least_s(), advice.saved_s - advice.by_runtime_s);
  if (likely_s >= least_noticed_s(lasts_s)) return true;
  constexpr double much = 0.1;
  const double middle_s = (advice.least_s() + advice.saved_s) / 2;
  return (advice.reads_again || advice.repeats_work) &&
         middle_s >= std::max(2 * min_s, much * lasts_s);
}

// Users of a program of the system can only pass the advice on. Nobody does so for a small share.
// With `sluice run` they can save time themselves, if it saves a share that is noticed.
// To gather lines in a language takes a part of what larger writes save, and sometimes all of it.
bool is_of_no_use(const Advice& advice, double lasts_s) {
  constexpr double worth_the_trouble = 0.1;
  constexpr double worth_a_run = 0.03;
  const double middle_s = (advice.least_s() + advice.saved_s) / 2;
  const bool helps_users = saved_by_run_s(advice) >= worth_a_run * lasts_s;
  const bool is_trouble = (advice.is_for_authors && !helps_users) ||
                          (advice.is_of_language && advice.kind == kinds::small_buffer);
  return is_trouble && middle_s < worth_the_trouble * lasts_s;
}

// Whoever gathers small pieces in an array gathers as many as a larger buffer holds: one cause, one
// cure. Where the buffer costs more than the pieces, it keeps its advice, which is one line. (What
// `sluice run` does with small pieces leaves the buffer as it is.)
void unite_buffers_with_pieces(const Profile& profile, std::vector<Advice>& all) {
  const auto is_about_pieces = [&](const Advice& advice) {
    if (advice.kind == kinds::stream_pieces || advice.kind == kinds::stream_bytes) return true;
    const bool is_of_stream = profile.sites[profile.uses[advice.use].site].by_iostream;
    return advice.kind == kinds::tiny_stdio_writes && advice.by.empty() && !is_of_stream;
  };
  std::map<std::size_t, Advice*> pieces;  // by use
  for (Advice& advice : all) {
    if (is_about_pieces(advice)) pieces.emplace(advice.use, &advice);
  }
  for (Advice& advice : all) {
    const auto found = pieces.find(advice.use);
    if (advice.kind != kinds::small_buffer || found == pieces.end()) continue;
    Advice& of_pieces = *found->second;
    if (of_pieces.saved_s < advice.saved_s) continue;
    if (!of_pieces.least_saved_s) of_pieces.least_saved_s = of_pieces.saved_s;
    of_pieces.saved_s += advice.saved_s;
    of_pieces.why +=
        " A larger array than the present buffer also needs fewer system calls: the upper end of "
        "the prediction includes them.";
    advice.saved_s = 0;
  }
  std::erase_if(all, [](const Advice& advice) {
    return advice.kind == kinds::small_buffer && advice.saved_s <= 0;
  });
}

// True if all these savings together are not noticeable. Then no advice is shown, whatever the
// steps that follow do: they add up savings and divide them, and what a runtime's work adds does
// not count. A program that reads thousands of files gets a small advice for each of them, and the
// steps take long. (Advice about bytes may yet count bytes that were put back.)
bool cannot_reach(const Profile& profile, const std::vector<Advice>& all, double lasts_s) {
  double sum_s = 0;
  // The wakes of threads that hand calls over are added too.
  if (std::ranges::find(profile.files, waking_file, &File::name) != profile.files.end())
    return false;
  for (const Advice& advice : all) {
    if (advice.kind == kinds::char_at_a_time || advice.reads_again || advice.repeats_work)
      return false;
    sum_s += std::max(0.0, advice.saved_s);
  }
  return sum_s < least_noticed_s(lasts_s);
}

// Whoever leaves a sync out, or a file that is written anew, needs no thread that waits for it.
void leave_out_needless_thread(std::vector<Advice>& all) {
  constexpr std::string_view cures[] = {"sync-after-each", "synced-files", "written-anew"};
  const auto has_same_use = [&](const Advice& overlap) {
    return std::ranges::any_of(all, [&](const Advice& other) {
      return std::ranges::find(cures, other.kind.id) != std::end(cures) &&
             std::ranges::find(other.uses, overlap.use) != other.uses.end();
    });
  };
  const auto overlap = std::ranges::find(all, kinds::overlap, &Advice::kind);
  if (overlap != all.end() && has_same_use(*overlap)) all.erase(overlap);
}

// What advice about the whole program says of calls, no other advice has to say.
void leave_out_parts(const Advice& of, std::vector<Advice>& all) {
  std::erase_if(all, [&](const Advice& advice) {
    return !advice.uses.empty() && std::ranges::includes(of.uses, advice.uses);
  });
}

}  // namespace

bool is_disturbed(const Disturbance& disturbance) {
  return disturbance.others + disturbance.host > much_disturbed;
}

std::vector<Advice> advice_by_rules(const Profile& profile) {
  std::vector<Advice> all;
  // Thousands of uses may have advice, which would be moved each time the vector grows. The kernel
  // gives memory only for what is there.
  constexpr std::size_t most_reserved = 16384;
  reserve_in_large_pages(all, std::min(profile.uses.size(), most_reserved));
  const FileAmounts amounts(profile);
  for (std::size_t i = 0; i < profile.uses.size(); ++i) {
    const Situation at(profile, amounts, i);
    for (const Rule rule : rules) {
      if (std::optional<Advice> advice = rule(at)) all.push_back(std::move(*advice));
    }
  }
  const double lasts_s = idle_machine_s(profile);
  if (cannot_reach(profile, all, lasts_s)) all.clear();
  if (!all.empty()) {
    const OwnTerms own_terms(profile, amounts);
    for (Advice& advice : all) own_terms.say(advice);
  }
  leave_out_what_is_kept(profile, all);
  unite_buffers_with_pieces(profile, all);
  unite_standard_streams(profile, all);
  unite_copied_pieces(profile, all);
  all = one_for_each_cause(profile, std::move(all));
  for (const RuleOfProgram rule : rules_of_program) {
    std::optional<Advice> advice = rule(profile);
    if (!advice) continue;
    leave_out_parts(*advice, all);
    all.push_back(std::move(*advice));
  }
  leave_out_calls_of_needless(profile, all);
  for (Advice& advice : all) {
    // From a rule about the whole program.
    if (advice.uses.empty() && advice.place.empty()) advice.uses = {advice.use};
  }
  leave_out_needless_thread(all);
  leave_out_what_waits_for_readers(profile, all);
  std::erase_if(all, [&](const Advice& advice) { return !is_noticeable(advice, lasts_s); });
  rank(all);
  return all;
}

std::vector<Advice> advice_for(const Profile& profile) {
  std::vector<Advice> all = advice_by_rules(profile);
  const double most_s = all.empty() ? 0 : most_to_be_saved_s(profile);
  for (Advice& advice : all) {
    calibrate(advice, most_s);
    name_authors(profile, advice);
    say_what_run_saves(advice);
  }
  std::erase_if(all, [&](const Advice& advice) { return is_of_no_use(advice, most_s); });
  rank(all);
  return all;
}

}  // namespace sluice::trace
