// Measures the events of a detector, by kind. It asks the file for its size once, and
// counts the bytes that are left.
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>

struct Event {
  std::int32_t number, kind;
  double energy, weight;
};

class EventFile {
 public:
  explicit EventFile(const std::string& path) : in_(path, std::ios::binary) {
    in_.seekg(0, std::ios::end);
    bytes_left_ = in_.tellg();
    in_.seekg(0);
  }
  bool Next(Event& event) {
    if (bytes_left_ < static_cast<std::streamoff>(sizeof event)) return false;
    in_.read(reinterpret_cast<char*>(&event), sizeof event);
    bytes_left_ -= sizeof event;
    return in_.good();
  }

 private:
  std::ifstream in_;
  std::streamoff bytes_left_;
};

struct Kind {
  int count = 0;
  double sum = 0, squares = 0;
};

// The light that an event gives, by Birks' law, summed along the path of the particle.
double LightOf(const Event& event) {
  double left = event.energy * 10 + 0.1, light = 0;
  for (int step = 0; step < 70; ++step) {
    double loss = 0.02 * std::log1p(left) / (left + 0.05);
    light += loss / (1 + 0.126 * loss);
    left = std::fmax(left - loss, 0.01);
  }
  return light * event.weight;
}

int main() {
  EventFile file("table");
  std::array<Kind, 1000> kinds;
  Event event;
  for (int i = 0; i < 200'000 && file.Next(event); ++i) {
    double light = LightOf(event);
    Kind& kind = kinds.at(event.kind);
    ++kind.count;
    kind.sum += light;
    kind.squares += light * light;
  }
  for (const Kind& kind : kinds) {
    double mean = kind.sum / kind.count;
    std::cout << kind.count << ' ' << mean << ' '
              << std::sqrt(std::fabs(kind.squares / kind.count - mean * mean)) << '\n';
  }
}
