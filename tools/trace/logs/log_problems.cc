#include "trace/logs/log_problems.h"

#include <fmt/format.h>

#include <cstddef>

#include "command_line/quantity.h"
#include "trace/logs/log_text.h"

namespace sluice::trace {
namespace {

std::uint64_t calls_without_site(const preload::Log& log) {
  std::uint64_t calls = 0;
  for (std::uint32_t i = 1; i <= log.usages && i < preload::max_usages; ++i) {
    const preload::Usage& usage = log.usage(i);
    if (usage.site == preload::max_sites - 1) calls += usage.copies + usage.slow_calls;
  }
  return calls;
}

void note_unknown_places(const preload::Log& log, std::vector<std::string>& problems) {
  const auto note = [&](const std::string& what, std::size_t most, const char* entries) {
    problems.push_back(fmt::format(
        "{}: {} unknown, because the log or its disk was full: a log has room for {} {}",
        program_of(log), what, most, entries));
  };
  if (const std::uint64_t calls = calls_without_site(log); calls > 0) {
    note(fmt::format("the places of {} are", format_count(calls, "call")), preload::max_sites - 2,
         "stacks");
  }
  if (log.modules > preload::max_modules) {
    note("the functions in some libraries are", preload::max_modules, "libraries");
  }
  if (log.text > preload::text_bytes) {
    note("the names of some files or libraries are", preload::text_bytes, "bytes of names");
  }
}

}  // namespace

// The last usage has all calls that found no room for a usage of their own.
std::uint64_t lost_calls(const preload::Log& log) {
  const preload::Usage& last = log.usage(preload::max_usages - 1);
  return last.copies + last.slow_calls;
}

void note_what_is_missing(const preload::Log& log, std::vector<std::string>& problems) {
  if (lost_calls(log) > 0) {
    problems.push_back(fmt::format(
        "{}: {} are counted under \"other\", because the log or its disk was full: it "
        "has room for {} combinations of call, call site, file and thread",
        program_of(log), format_count(lost_calls(log), "call"), format_count(preload::max_usages)));
  }
  note_unknown_places(log, problems);
  if (log.seccomp != 0) {
    problems.push_back(fmt::format(
        "process {} entered seccomp: its later calls are not in this report", log.process));
  }
  if (log.lost_moments > 0) {
    problems.push_back(
        fmt::format("process {}: the times of {} are not in the timeline, because the disk of the "
                    "logs (TMPDIR, or /dev/shm) was full",
                    log.process, format_count(log.lost_moments, "call")));
  }
  if (log.unseen_io != 0) {
    problems.push_back(
        fmt::format("process {} made calls of Linux AIO or io_uring: the bytes that it read or "
                    "wrote by them are not in this report",
                    log.process));
  }
}

}  // namespace sluice::trace
