#include "bench/request.h"
#include "command_line/command_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace sluice::bench {
namespace {

constexpr std::string_view replay = "replay";

const RegisteredExperiment* find(std::span<const RegisteredExperiment> known, std::string_view id) {
  const auto found = std::ranges::find(known, id, &RegisteredExperiment::id);
  return found == known.end() ? nullptr : &*found;
}

// The parsed words, before `replay` becomes one choice for each file.
struct Words {
  std::vector<const RegisteredExperiment*> experiments;
  std::vector<std::string> replay_files;
};

Words sort_out(const Request& request, std::span<const RegisteredExperiment> known) {
  Words result{{}, request.replay_files};
  bool replay_seen = false;
  for (const std::string& word : request.words) {
    const RegisteredExperiment* const experiment = find(known, word);
    replay_seen = replay_seen || word == replay;
    if (experiment == nullptr && !replay_seen &&
        (word == "object-write" || word == "object-read")) {
      throw UsageError(word + " needs an object store: give --dir URI, such as s3://BUCKET/FOLDER");
    }
    if (experiment == nullptr && !replay_seen) {
      throw UsageError(fmt::format("unknown experiment '{}'. Experiments:\n{}{}", word,
                                   list_of(known), list_of_others()));
    }
    if (experiment == nullptr) {
      result.replay_files.push_back(word);
    } else if (std::ranges::count(result.experiments, experiment) == 0) {
      result.experiments.push_back(experiment);
    }
  }
  return result;
}

}  // namespace

std::vector<Choice> choose(const Request& request, std::span<const RegisteredExperiment> known) {
  Words words = sort_out(request, known);
  const bool all = words.experiments.empty();
  if (all) {
    for (const RegisteredExperiment& experiment : known) words.experiments.push_back(&experiment);
  }
  const RegisteredExperiment* const replaying = find(known, replay);
  const bool chosen = std::ranges::count(words.experiments, replaying) != 0;
  if (!words.replay_files.empty() && !chosen) words.experiments.push_back(replaying);

  std::vector<Choice> choices;
  for (const RegisteredExperiment* experiment : words.experiments) {
    if (experiment->id != replay) {
      choices.push_back({experiment, ""});
      continue;
    }
    if (words.replay_files.empty() && !all) {
      throw UsageError(
          "replay needs a file of recorded write sizes, lines of SIZE COUNT: "
          "sluice bench replay FILE");
    }
    for (const std::string& file : words.replay_files) choices.push_back({experiment, file});
  }
  return choices;
}

std::string list_of(std::span<const RegisteredExperiment> known) {
  std::string text;
  for (const RegisteredExperiment& experiment : known) {
    text += fmt::format("  {:<12} {}\n", experiment.id, experiment.title);
  }
  return text;
}

std::string list_of_others() {
  return "  object-write a whole object, written in sequence (with --dir s3://BUCKET/FOLDER)\n"
         "  object-read  a whole object, read in sequence (with --dir s3://BUCKET/FOLDER)\n"
         "  ranks        MPI ranks that write one file (mpirun -n 4 sluice bench ranks)\n";
}

}  // namespace sluice::bench
