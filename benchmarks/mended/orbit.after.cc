// Integrates a small planetary system (leapfrog) and writes the track of each body to a file of its
// own, a log of close encounters, and a summary of the energies.
#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

struct Vec3 {
  double x = 0, y = 0, z = 0;
  Vec3 operator+(const Vec3& o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vec3 operator-(const Vec3& o) const { return {x - o.x, y - o.y, z - o.z}; }
  Vec3 operator*(double k) const { return {x * k, y * k, z * k}; }
  double dot(const Vec3& o) const { return x * o.x + y * o.y + z * o.z; }
};

std::ostream& operator<<(std::ostream& out, const Vec3& v) {
  return out << v.x << ' ' << v.y << ' ' << v.z;
}

struct Body {
  std::string name;
  double mass;
  Vec3 position, velocity, acceleration;
};

class TrackWriter {
 public:
  explicit TrackWriter(const std::string& name) : out_(name + ".track") {
    out_ << std::fixed << std::setprecision(5);
    out_ << "# t x y z speed" << '\n';
  }
  void add(double t, const Body& body) {
    out_ << t << ' ' << body.position << ' ' << std::sqrt(body.velocity.dot(body.velocity)) << '\n';
    ++lines_;
  }
  long lines() const { return lines_; }

 private:
  std::ofstream out_;
  long lines_ = 0;
};

class System {
 public:
  System() : encounters_("encounters.log") { encounters_ << std::fixed << std::setprecision(4); }

  void add(const std::string& name, double mass, double radius, double phase, double tilt) {
    double speed = radius > 0 ? std::sqrt(1 / radius) : 0;
    Body b{name,
           mass,
           {radius * std::cos(phase), radius * std::sin(phase), 0},
           {-speed * std::sin(phase), speed * std::cos(phase), speed * tilt},
           {}};
    bodies_.push_back(b);
    tracks_.push_back(std::make_unique<TrackWriter>(name));
  }

  void run(int steps, double dt, int sampling) {
    accelerate();
    for (int i = 0; i < steps; i++) {
      for (auto& b : bodies_) {
        b.velocity = b.velocity + b.acceleration * (dt / 2);
        b.position = b.position + b.velocity * dt;
      }
      accelerate();
      for (auto& b : bodies_) b.velocity = b.velocity + b.acceleration * (dt / 2);
      time_ += dt;
      if (i % sampling == 0) sample();
    }
  }

  double energy() const {
    double e = 0;
    for (size_t i = 0; i < bodies_.size(); i++) {
      e += bodies_[i].mass * bodies_[i].velocity.dot(bodies_[i].velocity) / 2;
      for (size_t k = i + 1; k < bodies_.size(); k++) {
        Vec3 d = bodies_[i].position - bodies_[k].position;
        e -= bodies_[i].mass * bodies_[k].mass / std::sqrt(d.dot(d) + 1e-6);
      }
    }
    return e;
  }

  void summary(std::ostream& out) const {
    for (size_t i = 0; i < bodies_.size(); i++)
      out << bodies_[i].name << ": " << tracks_[i]->lines() << " points, at " << bodies_[i].position
          << '\n';
    out << close_ << " close encounters" << '\n';
  }

 private:
  void accelerate() {
    for (auto& a : bodies_) {
      a.acceleration = {};
      for (const auto& b : bodies_) {
        if (&a == &b) continue;
        Vec3 d = b.position - a.position;
        double r2 = d.dot(d) + 1e-6;
        a.acceleration = a.acceleration + d * (b.mass / (r2 * std::sqrt(r2)));
      }
    }
  }

  void sample() {
    for (size_t i = 0; i < bodies_.size(); i++) tracks_[i]->add(time_, bodies_[i]);
    for (size_t i = 1; i < bodies_.size(); i++)
      for (size_t k = i + 1; k < bodies_.size(); k++) {
        Vec3 d = bodies_[i].position - bodies_[k].position;
        if (d.dot(d) < 0.04) {
          encounters_ << time_ << ' ' << bodies_[i].name << ' ' << bodies_[k].name << ' '
                      << std::sqrt(d.dot(d)) << '\n';
          close_++;
        }
      }
  }

  std::vector<Body> bodies_;
  std::vector<std::unique_ptr<TrackWriter>> tracks_;
  std::ofstream encounters_;
  double time_ = 0;
  long close_ = 0;
};

int main() {
  System system;
  system.add("sun", 1.0, 0, 0, 0);
  system.add("ember", 1e-6, 0.5, 0.3, 0.05);
  system.add("brook", 3e-6, 0.9, 2.1, 0.01);
  system.add("home", 3e-6, 1.0, 4.0, 0.0);
  system.add("rust", 4e-7, 1.6, 1.0, 0.03);
  system.add("giant", 1e-3, 5.2, 5.5, 0.02);
  std::cout << std::setprecision(10) << "energy " << system.energy() << '\n';
  system.run(60000, 0.004, 2);
  std::cout << "energy " << system.energy() << '\n' << std::setprecision(6);
  system.summary(std::cout);
}
