// Reports what is in a folder: the largest files, totals by type and folder, and files that are the
// same in size and contents.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Item {
  fs::path path;
  std::string name;
  std::uintmax_t size;
};

using Items = std::vector<Item>;

static void collect(const fs::path& root, Items& items) {
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.is_regular_file())
      items.push_back({entry.path(), entry.path().generic_string(), entry.file_size()});
}

static bool larger(const Item& a, const Item& b) {
  return a.size != b.size ? a.size > b.size : a.name < b.name;
}

static std::string contents(const Item& item) {
  std::ifstream file(item.path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

static void print_largest(const Items& items, size_t how_many) {
  std::cout << "largest:\n";
  for (size_t i = 0; i < items.size() && i < how_many; i++)
    std::cout << std::setw(8) << fs::file_size(items[i].path) << "  " << items[i].name << '\n';
}

static void print_totals(const Items& items) {
  std::map<std::string, std::pair<long, std::uintmax_t>> types, folders;
  for (const Item& item : items) {
    auto size = fs::file_size(item.path);
    for (auto* total : {&types[item.path.extension().string()],
                        &folders[item.path.parent_path().generic_string()]}) {
      total->first++;
      total->second += size;
    }
  }
  for (const auto* table : {&types, &folders})
    for (const auto& [key, total] : *table)
      std::cout << std::setw(8) << total.second << std::setw(6) << total.first << "  " << key
                << '\n';
}

// The items are sorted by size, so that only neighbours have to be compared.
static void print_twins(const Items& items) {
  size_t twins = 0;
  std::string previous;
  for (size_t i = 0; i < items.size(); i++) {
    std::string now = contents(items[i]);
    if (i > 0 && now == previous && !now.empty()) {
      if (++twins % 50 == 0)
        std::cout << items[i].name << " is the same as " << items[i - 1].name << '\n';
    }
    previous = std::move(now);
  }
  std::cout << twins << " twins\n";
}

int main(int argc, char** argv) {
  Items items;
  collect(argc > 1 ? argv[1] : "attic", items);
  std::cout << items.size() << " files\n";
  std::sort(items.begin(), items.end(), larger);
  print_largest(items, 40);
  print_totals(items);
  print_twins(items);
}
