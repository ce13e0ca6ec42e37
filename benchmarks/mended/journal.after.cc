// Writes a line for each step of a small simulation.
#include <fstream>

int main() {
  std::ofstream out("out");
  double position = 0;
  double speed = 1;
  for (int step = 0; step < 500000; ++step) {
    speed -= position * 0.001;
    position += speed * 0.001;
    out << step << ' ' << position << '\n';
  }
  return out.good() ? 0 : 1;
}
