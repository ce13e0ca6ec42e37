// The simulation on several ranks: each moves its share of the bodies. TARGET is where the rows go:
// a file, a file that all ranks write (mpi:FILE), or an object store (s3://...): see rows.h.
//
//   mpirun -n 4 ranks simulate TARGET STEPS MINUTES_OF_A_STEP
//   ranks plot TARGET BODY FILE.svg
//
// A row has the positions of all bodies at one step. Started again with the same target, the
// simulation goes on where it stopped, also on another number of ranks.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "arguments.h"
#include "orbit_path.h"
#include "rows.h"
#include "solar_system.h"

namespace {

using trajectories::bodies;
using trajectories::Duration;
using trajectories::duration_in;
using trajectories::Place;
using trajectories::Row;

// Three asteroids, which attract nobody, make the number of bodies one that 2, 3, 4 and 6 divide.
constexpr std::size_t all_bodies = bodies + 3;
static_assert(all_bodies == std::tuple_size_v<Row>);
constexpr double asteroid_axes[] = {2.2, 2.7, 3.2};
constexpr std::uint64_t steps_between_flushes = 1000;

Row row_at(double days) {
  Row row{};
  const trajectories::Positions planets = trajectories::kepler_positions(days);
  for (std::size_t i = 0; i < 3 * bodies; ++i) row[i / 3][i % 3] = planets[i];
  for (std::size_t i = bodies; i < all_bodies; ++i) {
    const double axis = asteroid_axes[i - bodies];
    const double angle = std::sqrt(trajectories::details::sun_gm / (axis * axis * axis)) * days;
    row[i] = {axis * std::cos(angle) + row[0][0], axis * std::sin(angle) + row[0][1], row[0][2]};
  }
  return row;
}

// The sum has the same order on every number of ranks, so the result has the same bits.
Place pull_on(const Row& row, std::size_t body) {
  Place pull{};
  for (std::size_t other = 0; other < bodies; ++other) {
    if (other == body) continue;
    Place between;
    double square = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      between[k] = row[other][k] - row[body][k];
      square += between[k] * between[k];
    }
    const double strength = trajectories::details::sun_gm * trajectories::details::mass_of(other) /
                            (square * std::sqrt(square));
    for (std::size_t k = 0; k < 3; ++k) pull[k] += strength * between[k];
  }
  return pull;
}

// The last two rows, and the numbers of rows and runs before the next one.
struct State {
  Row before;
  Row now;
  std::uint64_t rows = 0;
  std::uint64_t runs = 0;
};

// Where the bodies from `first` to `first + count` are one step after `now`.
Row moved(const Row& before, const Row& now, std::size_t first, std::size_t count,
          double step_days) {
  Row next{};
  for (std::size_t body = first; body < first + count; ++body) {
    const Place pull = pull_on(now, body);
    for (std::size_t k = 0; k < 3; ++k) {
      const double way = now[body][k] - before[body][k];
      next[body][k] = now[body][k] + (way + pull[k] * step_days * step_days);
    }
  }
  return next;
}

// Another length of the step would go on with the speed that the bodies have in a step of the old
// length. The result has the same bits on every number of ranks, so the last row shows the length.
sluice::Status check_step(const std::string& target, const Row& oldest, const State& state,
                          double step_days) {
  if (moved(oldest, state.before, 0, all_bodies, step_days) == state.now) return {};
  return sluice::Status::failure(sluice::Operation::open, target, EINVAL, std::nullopt,
                                 "the last row does not follow by a step of " +
                                     std::to_string(step_days * 1440) +
                                     " minutes: use the step of the run before");
}

// What an interrupted run has left in a file behind the durable rows is cut off.
sluice::Status find_state(const std::string& target, double step_days, State& state) {
  state = {row_at(-step_days), row_at(0), 0, 0};
  trajectories::RowReader reader(target);
  Row oldest{};
  for (Row row; reader.next(row);) {
    oldest = std::exchange(state.before, std::exchange(state.now, row));
  }
  state.rows = reader.rows();
  state.runs = reader.runs();
  if (!reader.status().ok() || state.rows == 0) return reader.status();
  sluice::Status status = check_step(target, oldest, state, step_days);
  if (!status.ok() || trajectories::is_object(target)) return status;
  const std::string path = trajectories::path_of(target);
  std::error_code failed;
  std::filesystem::resize_file(path, state.rows * sizeof(Row), failed);
  if (failed) return sluice::Status::failure(sluice::Operation::open, path, failed.value());
  return status;
}

// Every rank calls this.
sluice::Status note_rows(const std::string& target, int rank, std::uint64_t rows) {
  sluice::Status noted;
  const std::string path = trajectories::path_of(target);
  if (rank == 0 && !trajectories::is_object(target)) {
    noted = trajectories::note_durable_rows(path, rows);
  }
  return trajectories::result_of_first_rank(noted, path);
}

// Moves the bodies `first` to `first + count`, and gets the others from the other ranks.
void move(State& state, std::size_t first, std::size_t count, double step_days) {
  Row next = moved(state.before, state.now, first, count, step_days);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, next.data(), static_cast<int>(3 * count),
                MPI_DOUBLE, MPI_COMM_WORLD);
  state.before = std::exchange(state.now, next);
}

sluice::Status simulate(const std::string& target, std::uint64_t steps, double step_days) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::size_t count = all_bodies / static_cast<std::size_t>(ranks);
  const std::size_t first = count * static_cast<std::size_t>(rank);
  State state;
  sluice::Status status;
  if (rank == 0) status = find_state(target, step_days, state);
  status = trajectories::result_of_first_rank(status, target);
  MPI_Bcast(&state, sizeof state, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (status.ok()) status = note_rows(target, rank, state.rows);  // before the file has bytes
  if (!status.ok()) return status;
  const auto rows = trajectories::writer_for(target, state.rows, state.runs);
  for (std::uint64_t step = 1; status.ok() && step <= steps; ++step) {
    move(state, first, count, step_days);
    rows->write(state.now);
    if (step % steps_between_flushes != 0 && step != steps) continue;
    status = rows->flush();
    if (status.ok()) status = note_rows(target, rank, state.rows + step);
  }
  const sluice::Status closed = rows->close();
  if (status.ok()) status = closed;
  if (status.ok() && rank == 0) {
    const std::uint64_t end = state.rows + steps;
    std::printf("%s: rows %llu to %llu\n", target.c_str(),
                static_cast<unsigned long long>(state.rows), static_cast<unsigned long long>(end));
  }
  return status;
}

sluice::Status plot(const std::string& target, const char* name, const std::string& svg) {
  std::size_t body = 0;
  while (body < bodies && std::strcmp(trajectories::names[body], name) != 0) ++body;
  if (body == bodies) {
    return sluice::Status::failure(sluice::Operation::open, name, EINVAL, std::nullopt,
                                   "no body has this name");
  }
  trajectories::RowReader reader(target);
  trajectories::Path orbit;
  for (Row row; reader.next(row);) {
    orbit.add(row[body][0] - row[0][0], row[body][1] - row[0][1]);
  }
  if (!reader.status().ok()) return reader.status();
  if (reader.rows() == 0) {
    return sluice::Status::failure(sluice::Operation::open, target, ENOENT, std::nullopt,
                                   "there are no rows");
  }
  const sluice::Status written = trajectories::write_svg(svg, orbit, name);
  if (written.ok()) {
    std::printf("%s: %llu rows, %zu points\n", name, static_cast<unsigned long long>(reader.rows()),
                orbit.points().size());
  }
  return written;
}

int run_simulation(const char* target, Duration duration) {
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);
  int ranks = 1;
  int rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  sluice::Status status;
  if (all_bodies % static_cast<std::size_t>(ranks) != 0) {
    status = sluice::Status::failure(sluice::Operation::open, target, EINVAL, std::nullopt,
                                     "start 1, 2, 3, 4, 6 or 12 ranks");
  } else {
    status = simulate(target, duration.steps, duration.step_days);
  }
  if (!status.ok() && rank == 0) std::fprintf(stderr, "%s\n", status.message().c_str());
  MPI_Finalize();
  return status.ok() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::strcmp(argv[1], "simulate") == 0) {
    const std::optional<Duration> duration = duration_in(argv[3], argv[4]);
    if (duration) return run_simulation(argv[2], *duration);
  }
  if (argc == 5 && std::strcmp(argv[1], "plot") == 0) {
    const sluice::Status status = plot(argv[2], argv[3], argv[4]);
    if (!status.ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
    return status.ok() ? 0 : 1;
  }
  std::fprintf(stderr,
               "usage: ranks simulate TARGET STEPS MINUTES | ranks plot TARGET BODY FILE.svg\n"
               "STEPS is a whole number, such as 1000. MINUTES is above 0.\n");
  return 2;
}
