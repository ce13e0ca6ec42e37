// glossary: a concordance of word pairs for a field linguist.  Reads the
// transcript text.txt, writes pairs.txt (each pair of neighbouring words with
// the line it is on and a stem of each) and prints the commonest stems.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

static std::string stem(std::string w) {
  static const char* const endings[] = {"ing", "ed", "ly", "es", "s"};

  for (const char* e : endings) {
    std::string end = e;
    if (w.size() > end.size() + 2 && w.compare(w.size() - end.size(), end.size(), end) == 0) {
      w.erase(w.size() - end.size());
      break;
    }
  }
  return w;
}

int main() {
  std::ifstream in("text.txt");
  std::ofstream out("pairs.txt");
  std::map<std::string, int> count;
  std::string line;
  int number = 0;

  if (!in || !out) {
    std::cerr << "cannot open the files" << std::endl;
    return 1;
  }
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string word, previous;

    number++;
    while (words >> word) {
      std::string s = stem(word);
      count[s]++;
      if (!previous.empty()) out << number << ' ' << previous << ' ' << s << '\n';
      previous = s;
    }
  }

  std::vector<std::pair<int, std::string>> order;
  for (const auto& c : count) order.push_back({-c.second, c.first});
  std::sort(order.begin(), order.end());
  for (size_t i = 0; i < order.size() && i < 20; i++)
    std::cout << -order[i].first << ' ' << order[i].second << std::endl;
  return 0;
}
