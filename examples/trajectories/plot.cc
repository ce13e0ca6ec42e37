// Draws the path of one body around the Sun as an SVG picture.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "orbit_path.h"
#include "trajectory.h"

using namespace trajectories;  // NOLINT(google-build-using-namespace): the program's own names

int main(int argc, char** argv) {
  const auto* const name =
      argc == 4 ? std::find_if(names.begin(), names.end(),
                               [&](const char* each) { return std::strcmp(each, argv[2]) == 0; })
                : names.end();
  if (name == names.end()) {
    std::fprintf(stderr, "usage: plot FOLDER BODY FILE.svg\nBODY is one of:");
    for (const char* const each : names) std::fprintf(stderr, " %s", each);
    std::fprintf(stderr, "\n");
    return 2;
  }
  const auto body = static_cast<std::size_t>(name - names.begin());
  TrajectoryReader reader(argv[1]);
  Path orbit;
  for (Positions at; reader.next(at);) {
    orbit.add(at[3 * body] - at[0], at[3 * body + 1] - at[1]);
  }
  if (reader.parts() == 0) return std::fprintf(stderr, "%s has no trajectory\n", argv[1]), 1;
  sluice::Status status = reader.status();
  if (status.ok()) status = write_svg(argv[3], orbit, *name);
  if (!status.ok()) return std::fprintf(stderr, "%s\n", status.message().c_str()), 1;
  std::printf("%s: %llu steps, %zu points\n", *name,
              static_cast<unsigned long long>(reader.steps()), orbit.points().size());
  return 0;
}
