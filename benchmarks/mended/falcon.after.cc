// falcon: turns sightings.txt ("minute nest bearing kilometres") into a list
// with map positions and a note about the photo of the nest, if there is one.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <unordered_map>

namespace fs = std::filesystem;

static const std::string& photo_note(const std::string& nest) {
  static std::unordered_map<std::string, std::string> known;
  auto it = known.find(nest);
  if (it != known.end()) return it->second;

  std::string path = "photos/" + nest + ".jpg";

  if (!fs::exists(path)) return known[nest] = "no photo";
  return known[nest] = path + " (" + std::to_string(fs::file_size(path)) + " bytes)";
}

int main() {
  std::ifstream in("sightings.txt");
  std::string nest;
  int minute, bearing, with = 0, count = 0;
  double km;

  while (in >> minute >> nest >> bearing >> km) {
    double a = bearing * M_PI / 180;
    std::string note = photo_note(nest);

    std::printf("%d:%02d %s %+.2f %+.2f %s\n", minute / 60, minute % 60, nest.c_str(),
                km * std::sin(a), km * std::cos(a), note.c_str());
    if (note != "no photo") with++;
    count++;
  }
  std::printf("%d sightings, %d with a photo\n", count, with);
  return 0;
}
