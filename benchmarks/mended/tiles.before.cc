// Follows hikers over a map of heights that is cut into tiles, and adds up their climbs. It opens
// the file of the map for each tile that it needs.
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

constexpr int kSide = 64;         // points of a tile, in both directions
constexpr int kTilesAcross = 96;  // of the map

struct Tile {
  int number = -1;
  std::array<unsigned char, kSide * kSide> heights;
};

class Map {
 public:
  explicit Map(std::string path) : path_(std::move(path)), cache_(16) {}
  double HeightAt(double x, double y) {
    int column = static_cast<int>(x), row = static_cast<int>(y);
    double right = x - column, down = y - row;
    double upper = PointAt(column, row) * (1 - right) + PointAt(column + 1, row) * right;
    double lower = PointAt(column, row + 1) * (1 - right) + PointAt(column + 1, row + 1) * right;
    return upper * (1 - down) + lower * down;
  }

 private:
  int PointAt(int column, int row) {
    const Tile& tile = TileOf(row / kSide * kTilesAcross + column / kSide);
    return tile.heights[row % kSide * kSide + column % kSide];
  }
  const Tile& TileOf(int number) {
    Tile& tile = cache_[number % cache_.size()];
    if (tile.number != number) Read(number, tile);
    return tile;
  }
  void Read(int number, Tile& tile) {
    std::ifstream file(path_, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(number) * sizeof tile.heights);
    file.read(reinterpret_cast<char*>(tile.heights.data()), sizeof tile.heights);
    tile.number = number;
  }
  std::string path_;
  std::vector<Tile> cache_;
};

int main() {
  Map map("large");
  const double size = kSide * kTilesAcross - 2;
  for (int hiker = 0; hiker < 250; ++hiker) {
    double x = size / 2, y = size / 2, direction = hiker, height = map.HeightAt(x, y), climb = 0;
    for (int step = 0; step < 12'000; ++step) {
      direction += 0.02 * std::sin(step * 0.01 * (hiker % 7 + 1));
      x = std::fmin(std::fmax(x + std::cos(direction), 0), size);
      y = std::fmin(std::fmax(y + std::sin(direction), 0), size);
      double next = map.HeightAt(x, y);
      climb += std::fmax(next - height, 0);
      height = next;
    }
    std::cout << hiker << ' ' << std::lround(climb) << '\n';
  }
}
