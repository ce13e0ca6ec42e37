// Reads a word list and the open entries of crosswords (place, pattern with one unknown letter,
// score), and counts how many entries have no, one or several solutions.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

using namespace std;

class Dictionary {
 public:
  void add(const string& word) {
    for (size_t i = 0; i < word.size(); i++) count[key(word, i)]++;
    if (word.size() < lengths.size()) lengths[word.size()]++;
  }

  int solutions(const string& pattern) const {
    size_t dot = pattern.find('.');
    if (dot == string::npos) return 0;
    auto found = count.find(key(pattern, dot));
    return found == count.end() ? 0 : found->second;
  }

  int of_length(size_t n) const { return n < lengths.size() ? lengths[n] : 0; }

 private:
  static uint64_t key(const string& word, size_t hole) {
    uint64_t h = 14695981039346656037ull + hole;
    for (size_t i = 0; i < word.size(); i++) {
      h ^= i == hole ? '.' : word[i];
      h *= 1099511628211ull;
    }
    return h;
  }

  unordered_map<uint64_t, int> count;
  array<int, 32> lengths{};
};

struct Tally {
  int open = 0, certain = 0, unclear = 0;
  long score = 0;
};

int main() {
  ios::sync_with_stdio(false);
  cin.tie(nullptr);
  Dictionary dictionary;
  int n;
  if (!(cin >> n)) {
    cerr << "no word list\n";
    return 1;
  }
  for (int i = 0; i < n; i++) {
    string word;
    cin >> word;
    dictionary.add(word);
  }

  map<char, Tally> directions;
  array<long, 32> places{};
  int hardest = 0;
  string hard, place, pattern;
  cin >> n;
  for (int i = 0; i < n; i++) {
    int score;
    if (!(cin >> place >> pattern >> score)) {
      cerr << "entry " << i << " is cut off\n";
      return 1;
    }
    Tally& t = directions[place.back()];
    int number = stoi(place);
    int k = dictionary.solutions(pattern);
    if (k == 0)
      t.open++;
    else if (k == 1)
      t.certain++;
    else
      t.unclear++;
    if (k == 1) t.score += score;
    if (number < 32) places[number] += k;
    if (k > hardest) {
      hardest = k;
      hard = pattern;
    }
  }
  for (size_t i = 1; i < 32; i++)
    if (dictionary.of_length(i))
      cout << dictionary.of_length(i) << " words of " << i << " letters\n";
  for (const auto& [direction, t] : directions)
    cout << (direction == 'a' ? "across" : "down") << ": " << t.open << " open, " << t.certain
         << " certain, " << t.unclear << " unclear, score " << t.score << "\n";
  for (size_t i = 1; i < 32; i++)
    if (places[i]) cout << "place " << i << ": " << places[i] << " candidates\n";
  cout << "hardest: " << hard << " with " << hardest << "\n";
  return 0;
}
