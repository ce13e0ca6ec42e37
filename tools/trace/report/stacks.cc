#include "trace/report/stacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <vector>

#include "command_line/output.h"

namespace sluice::trace {
namespace {

// A frame's name on one line, without the character that separates frames.
std::string frame_text(const std::string& name) {
  std::string text = on_one_line(name);
  std::ranges::replace(text, ';', ':');
  return text;
}

std::string stack_of(const Profile& profile, const Use& use) {
  std::string stack = frame_text(program_of(profile, use));
  const std::vector<Frame>& frames = profile.sites[use.site].frames;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    stack += ';';
    stack += frame_text(frame->function);
  }
  stack += ';';
  stack += name_of(use.call);
  return stack;
}

}  // namespace

std::string program_of(const Profile& profile, const Use& use) {
  const Process* const process = first_process_of(profile, use);
  const std::string& program = process == nullptr ? profile.command.front() : process->program;
  return std::filesystem::path(program).filename().string();
}

std::string folded_stacks(const Profile& profile) {
  std::map<std::string, double> stacks;
  for (const Use& use : profile.uses) stacks[stack_of(profile, use)] += use.amount.time.total_s();
  std::string text;
  for (const auto& [stack, time_s] : stacks) {
    const long microseconds = std::lround(time_s * 1e6);
    if (microseconds > 0) text += fmt::format("{} {}\n", stack, microseconds);
  }
  return text;
}

}  // namespace sluice::trace
