// Counts an election by instant runoff. Reads from the standard input the
// number of candidates and of ballots, and for each ballot the number of
// preferences followed by these.
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

struct Ballot {
  std::vector<int> prefs;
  size_t at = 0;
};

static bool read_ballots(std::istream& in, int& candidates, std::vector<Ballot>& ballots) {
  int n, k;
  if (!(in >> candidates >> n)) return false;
  ballots.reserve(n);
  while (n-- > 0 && in >> k) {
    Ballot b;
    for (int i = 0; i < k; i++) {
      int c;
      in >> c;
      if (c >= 1 && c <= candidates) b.prefs.push_back(c);
    }
    ballots.push_back(std::move(b));
  }
  return true;
}

int main() {
  std::ios::sync_with_stdio(false);
  int candidates;
  std::vector<Ballot> ballots;
  if (!read_ballots(std::cin, candidates, ballots)) {
    std::cerr << "no ballots\n";
    return 1;
  }
  std::vector<bool> out(candidates + 1, false);
  for (int round = 1; round < candidates; round++) {
    std::vector<long> votes(candidates + 1, 0);
    long valid = 0;
    for (auto& b : ballots) {
      while (b.at < b.prefs.size() && out[b.prefs[b.at]]) b.at++;
      if (b.at < b.prefs.size()) {
        votes[b.prefs[b.at]]++;
        valid++;
      }
    }
    int best = 0, worst = 0;
    std::cout << "Round " << round << ", " << valid << " valid\n";
    for (int c = 1; c <= candidates; c++) {
      if (out[c]) continue;
      std::cout << "  candidate " << std::setw(2) << c << std::setw(9) << votes[c] << '\n';
      if (!best || votes[c] > votes[best]) best = c;
      if (!worst || votes[c] < votes[worst]) worst = c;
    }
    if (votes[best] * 2 > valid) {
      std::cout << "elected: " << best << '\n';
      return 0;
    }
    out[worst] = true;
  }
  return 0;
}
