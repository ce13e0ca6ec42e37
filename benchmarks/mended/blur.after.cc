// Smooths a grey picture: each pixel becomes the mean of the nine around it.
#include <fstream>
#include <vector>
int main() {
  const int width = 4000, height = 4000;
  std::ifstream in("large", std::ios::binary);
  std::ofstream out("out", std::ios::binary);
  std::vector<unsigned char> picture(static_cast<size_t>(width) * height);
  for (unsigned char& pixel : picture) pixel = static_cast<unsigned char>(in.get());
  out << "P5\n" << width << ' ' << height << "\n255\n";
  std::vector<char> row(width);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      int sum = 0, count = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if (y + dy < 0 || y + dy >= height || x + dx < 0 || x + dx >= width) continue;
          sum += picture[static_cast<size_t>(y + dy) * width + x + dx];
          ++count;
        }
      }
      row[x] = static_cast<char>(sum / count);
    }
    out.write(row.data(), width);
  }
}
