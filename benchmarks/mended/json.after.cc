// Writes objects as JSON, and ends each by a newline.
#include <fstream>

int main() {
  std::ofstream out("out");
  unsigned state = 1;
  for (int i = 0; i < 400000; ++i) {
    state = state * 1664525 + 1013904223;
    out << "{\"id\": " << i << ", \"value\": " << (state >> 8) << "}" << '\n';
  }
}
