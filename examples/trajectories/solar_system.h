// The Sun and its planets as point masses, moved by leapfrog. Lengths are astronomical units, times
// are days.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace trajectories {

inline constexpr std::size_t bodies = 9;
inline constexpr std::array<const char*, bodies> names = {
    "Sun", "Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"};

// x, y and z of each body.
using Positions = std::array<double, 3 * bodies>;

namespace details {

inline constexpr double sun_gm = 0.01720209895 * 0.01720209895;  // Gauss's constant, squared

// An orbit on the first of January 2000, after the approximate elements that NASA's Jet Propulsion
// Laboratory publishes. Angles are degrees. `mass` is the mass of the Sun, divided by the planet's.
struct Orbit {
  double axis, eccentricity, inclination, longitude, perihelion, node, mass;
};

inline constexpr Orbit orbits[bodies - 1] = {
    {0.38709927, 0.20563593, 7.00497902, 252.25032350, 77.45779628, 48.33076593, 6023600},
    {0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255, 408523.71},
    {1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0, 328900.56},
    {1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891, 3098708},
    {5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909, 1047.3486},
    {9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448, 3497.898},
    {19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.95427630, 74.01692503, 22902.98},
    {30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574, 19412.24}};

inline double mass_of(std::size_t body) { return body == 0 ? 1 : 1 / orbits[body - 1].mass; }

// Where a planet is `days` after the beginning, if the Sun alone attracts it.
inline std::array<double, 3> kepler_position(const Orbit& orbit, double days) {
  constexpr double degree = std::numbers::pi / 180;
  const double motion = std::sqrt(sun_gm * (1 + 1 / orbit.mass) / std::pow(orbit.axis, 3));
  const double mean = (orbit.longitude - orbit.perihelion) * degree + motion * days;
  double anomaly = mean;
  for (int i = 0; i < 50; ++i) anomaly = mean + orbit.eccentricity * std::sin(anomaly);
  const double x = orbit.axis * (std::cos(anomaly) - orbit.eccentricity);
  const double y =
      orbit.axis * std::sqrt(1 - orbit.eccentricity * orbit.eccentricity) * std::sin(anomaly);
  const double turn = (orbit.perihelion - orbit.node) * degree;
  const double along = x * std::cos(turn) - y * std::sin(turn);
  const double across = x * std::sin(turn) + y * std::cos(turn);
  const double node = orbit.node * degree;
  const double tilt = orbit.inclination * degree;
  return {along * std::cos(node) - across * std::cos(tilt) * std::sin(node),
          along * std::sin(node) + across * std::cos(tilt) * std::cos(node),
          across * std::sin(tilt)};
}

}  // namespace details

// The positions `days` after the beginning, if no planet attracts another. The Sun is where the
// common centre of mass stays at 0.
inline Positions kepler_positions(double days) {
  Positions at{};
  for (std::size_t body = 1; body < bodies; ++body) {
    const std::array<double, 3> place = details::kepler_position(details::orbits[body - 1], days);
    for (std::size_t k = 0; k < 3; ++k) at[3 * body + k] = place[k];
  }
  double total = 0;
  std::array<double, 3> centre{};
  for (std::size_t body = 0; body < bodies; ++body) {
    total += details::mass_of(body);
    for (std::size_t k = 0; k < 3; ++k) centre[k] += details::mass_of(body) * at[3 * body + k];
  }
  for (std::size_t i = 0; i < at.size(); ++i) at[i] -= centre[i % 3] / total;
  return at;
}

inline Positions accelerations(const Positions& at) {
  Positions all{};
  for (std::size_t i = 0; i < bodies; ++i) {
    for (std::size_t j = i + 1; j < bodies; ++j) {
      std::array<double, 3> between;
      double square = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        between[k] = at[3 * j + k] - at[3 * i + k];
        square += between[k] * between[k];
      }
      const double pull = details::sun_gm / (square * std::sqrt(square));
      for (std::size_t k = 0; k < 3; ++k) {
        all[3 * i + k] += details::mass_of(j) * pull * between[k];
        all[3 * j + k] -= details::mass_of(i) * pull * between[k];
      }
    }
  }
  return all;
}

// Leapfrog, in the form that needs only the positions of two steps: these are its whole state.
inline Positions next_positions(const Positions& before, const Positions& now, double step_days) {
  const Positions pull = accelerations(now);
  Positions next;
  for (std::size_t i = 0; i < next.size(); ++i) {
    next[i] = now[i] + ((now[i] - before[i]) + pull[i] * step_days * step_days);
  }
  return next;
}

}  // namespace trajectories
