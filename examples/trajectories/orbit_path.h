// The path of one body, as an SVG picture.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sluice/writer.h"

namespace trajectories {

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

inline sluice::Status write_svg(const std::string& path, const Path& orbit, const char* name) {
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

}  // namespace trajectories
