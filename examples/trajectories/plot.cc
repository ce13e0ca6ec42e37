// Draws the path of one body around the Sun as an SVG picture.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "trajectory.h"

using namespace trajectories;  // NOLINT(google-build-using-namespace): the program's own names

namespace {

// A path of few points: whenever it has too many, every second one is dropped.
class Path {
 public:
  void add(double x, double y) {
    if (step_++ % every_ != 0) return;
    points_.emplace_back(x, y);
    if (points_.size() < max_points) return;
    for (std::size_t i = 0; 2 * i < points_.size(); ++i) points_[i] = points_[2 * i];
    points_.resize((points_.size() + 1) / 2);
    every_ *= 2;
  }
  const std::vector<std::pair<double, double>>& points() const { return points_; }

 private:
  static constexpr std::size_t max_points = 4000;
  std::vector<std::pair<double, double>> points_;
  std::uint64_t step_ = 0;
  std::uint64_t every_ = 1;
};

sluice::Status write_svg(const std::string& path, const Path& orbit, const char* name) {
  double radius = 0;
  for (const auto& [x, y] : orbit.points()) radius = std::max({radius, std::abs(x), std::abs(y)});
  sluice::Writer svg;
  if (sluice::Status status = svg.open(path); !status.ok()) return status;
  svg.write("<svg xmlns='http://www.w3.org/2000/svg' viewBox='-110 -110 220 220'>\n<title>");
  svg.write(name);
  svg.write(
      "</title>\n<circle r='2' fill='orange'/>\n<polyline fill='none' stroke='steelblue' "
      "stroke-width='0.5' points='");
  for (const auto& [x, y] : orbit.points()) {
    char point[64];
    std::snprintf(point, sizeof point, "%.2f,%.2f ", 100 * x / radius, -100 * y / radius);
    svg.write(std::string_view(point));
  }
  svg.write("'/>\n</svg>\n");
  return svg.close();
}

}  // namespace

int main(int argc, char** argv) {
  const auto* const name =
      argc == 4 ? std::find_if(names.begin(), names.end(),
                               [&](const char* each) { return std::strcmp(each, argv[2]) == 0; })
                : names.end();
  if (name == names.end()) return std::fprintf(stderr, "usage: plot FOLDER BODY FILE.svg\n"), 2;
  const auto body = static_cast<std::size_t>(name - names.begin());
  TrajectoryReader reader(argv[1]);
  Path orbit;
  for (Positions at; reader.next(at);) {
    orbit.add(at[3 * body] - at[0], at[3 * body + 1] - at[1]);
  }
  sluice::Status status = reader.status();
  if (status.ok()) status = write_svg(argv[3], orbit, *name);
  if (!status.ok()) return std::fprintf(stderr, "%s\n", status.message().c_str()), 1;
  std::printf("%s: %llu steps, %zu points\n", *name,
              static_cast<unsigned long long>(reader.steps()), orbit.points().size());
  return 0;
}
