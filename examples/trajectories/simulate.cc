// Moves the Sun and its planets, and writes their positions at every step. Started again with the
// same folder, it goes on where it stopped.
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "arguments.h"
#include "trajectory.h"

using namespace trajectories;  // NOLINT(google-build-using-namespace): the program's own names

namespace {

sluice::Status refused(const std::string& folder, int code, const std::string& reason = "") {
  return sluice::Status::failure(sluice::Operation::open, folder, code, std::nullopt, reason);
}

// The last two steps of the folder. A new trajectory begins on the first of January 2000.
sluice::Status find_state(TrajectoryReader& reader, double step_days, Positions& before,
                          Positions& now) {
  before = kepler_positions(-step_days);
  now = kepler_positions(0);
  for (Positions at; reader.next(at);) before = std::exchange(now, at);
  if (!reader.status().ok() && !reader.is_interrupted()) return reader.status();
  if (reader.is_interrupted()) {
    std::printf("the last run was interrupted after %llu steps\n",
                static_cast<unsigned long long>(reader.steps()));
  }
  return {};
}

sluice::Status simulate(const std::string& folder, std::uint64_t steps, double step_days,
                        bool is_series) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return refused(folder, failed.value());
  TrajectoryReader reader(folder);
  Positions before{};
  Positions now{};
  sluice::Status status = find_state(reader, step_days, before, now);
  if (!status.ok()) return status;
  if (reader.steps() > 0 && reader.step_days() != step_days) {
    return refused(folder, EINVAL,
                   "the steps in this folder take " + std::to_string(reader.step_days() * 1440) +
                       " minutes each, and so must the steps that follow");
  }
  const std::string path = part_path(folder, reader.parts() + 1, is_series);
  TrajectoryWriter writer;
  const std::uint64_t first = reader.steps();
  status = writer.open(path, is_series, step_days, first);
  if (!status.ok()) return status;
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t step = 0; step < steps; ++step) {
    before = std::exchange(now, next_positions(before, now, step_days));
    if (!writer.write(now)) break;
  }
  status = writer.close();
  if (!status.ok()) return status;
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  std::printf("%s: steps %llu to %llu, %.3f s, %ju bytes\n", path.c_str(),
              static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first) + static_cast<unsigned long long>(steps),
              time.count(), std::filesystem::file_size(path));
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string form = argc == 5 ? argv[4] : "plain";
  const bool is_form = form == "plain" || form == "series";
  if (!is_form) std::fprintf(stderr, "'%s' is neither plain nor series\n", form.c_str());
  const bool is_complete = argc >= 4 && argc <= 5 && is_form;
  const std::optional<Duration> duration =
      is_complete ? duration_in(argv[2], argv[3]) : std::nullopt;
  if (!duration) {
    std::fprintf(stderr,
                 "usage: simulate FOLDER STEPS MINUTES_OF_A_STEP [plain|series]\n"
                 "STEPS is a whole number, such as 1000. MINUTES_OF_A_STEP is above 0.\n");
    return 2;
  }
  const sluice::Status status =
      simulate(argv[1], duration->steps, duration->step_days, form == "series");
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status.ok() ? 0 : 1;
}
