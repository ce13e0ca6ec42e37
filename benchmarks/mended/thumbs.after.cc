// unpacks a camera's roll into thumbnails, named by day: thumbs/DAY_N.pgm
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Picture {
  std::string day;
  int w = 0, h = 0;
  std::vector<unsigned char> pix;
};

static bool read_picture(std::istream& in, Picture& p) {
  if (!(in >> p.day >> p.w >> p.h)) return false;
  in.get();
  p.pix.resize(p.w * p.h);
  return bool(in.read(reinterpret_cast<char*>(p.pix.data()), p.pix.size()));
}

static Picture shrink(const Picture& p, int f) {
  Picture s;
  s.day = p.day;
  s.w = p.w / f;
  s.h = p.h / f;
  s.pix.resize(s.w * s.h);
  for (int y = 0; y < s.h; y++)
    for (int x = 0; x < s.w; x++) {
      int sum = 0;
      for (int dy = 0; dy < f; dy++)
        for (int dx = 0; dx < f; dx++) sum += p.pix[(y * f + dy) * p.w + x * f + dx];
      s.pix[y * s.w + x] = sum / (f * f);
    }
  return s;
}

static fs::path free_name(const fs::path& dir, const std::string& day) {
  static std::map<std::string, int> next;
  int& n = next.emplace(day, 1).first->second;
  fs::path name;
  do name = dir / (day + "_" + std::to_string(n++) + ".pgm");
  while (fs::exists(name));
  return name;
}

int main() {
  const fs::path dir = "thumbs";
  fs::remove_all(dir);
  fs::create_directory(dir);
  std::ifstream in("camera.roll", std::ios::binary);
  Picture p;
  std::map<std::string, int> days;
  while (read_picture(in, p)) {
    Picture s = shrink(p, 8);
    std::ofstream out(free_name(dir, p.day), std::ios::binary);
    out << "P5\n" << s.w << ' ' << s.h << "\n255\n";
    out.write(reinterpret_cast<char*>(s.pix.data()), s.pix.size());
    days[p.day]++;
  }
  for (auto& d : days) std::cout << d.first << ' ' << d.second << " pictures\n";
  return 0;
}
