// bridge - reads bridge hands from standard input, four to a deal (north, east, south, west;
// a hand looks like AK93.QT4.J972.A3, spades first), and writes the points and the shape of
// each, then what the pairs would bid; the counts of the shapes go to shapes.txt.
#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

struct Hand {
  int high = 0, controls = 0, losers = 0;
  std::array<int, 4> length{};

  bool balanced() const {
    auto l = length;
    std::sort(l.begin(), l.end());
    return l[0] >= 2 && l[1] >= 3;
  }

  int total() const {
    int t = high;
    for (int n : length) t += n > 4 ? n - 4 : 0;
    return t;
  }

  std::string shape() const {
    std::string s;
    for (int n : length) s += char(n < 10 ? '0' + n : 'a' + n - 10);
    return s;
  }
};

static Hand parse(const std::string& text) {
  Hand h;
  int suit = 0;
  std::array<std::string, 4> cards;

  for (char c : text) {
    if (c == '.') {
      suit = std::min(suit + 1, 3);
      continue;
    }
    cards[suit] += c;
    h.length[suit]++;
    h.high += c == 'A' ? 4 : c == 'K' ? 3 : c == 'Q' ? 2 : c == 'J';
    h.controls += c == 'A' ? 2 : c == 'K';
  }
  for (auto& s : cards) {
    const std::string tops = "AKQ";
    for (size_t i = 0; i < std::min<size_t>(3, s.size()); i++)
      h.losers += s.find(tops[i]) == std::string::npos;
  }
  return h;
}

static std::string opening(const Hand& h) {
  static const char* const suits[] = {"S", "H", "D", "C"};
  int longest = 0;

  for (int i = 1; i < 4; i++)
    if (h.length[i] > h.length[longest]) longest = i;
  if (h.high >= 22) return "2C";
  if (h.balanced() && h.high >= 15 && h.high <= 17) return "1N";
  if (h.balanced() && h.high >= 20) return "2N";
  if (h.total() >= 12)
    return longest < 2 && h.length[longest] < 5 ? "1D" : std::string("1") + suits[longest];
  if (h.high >= 6 && h.length[longest] >= 6 && longest < 3)
    return std::string("2") + suits[longest];
  return "--";
}

// what a pair is likely to make together
static std::string contract(const Hand& a, const Hand& b) {
  int points = a.total() + b.total(), fit = -1;

  for (int i = 0; i < 4; i++)
    if (a.length[i] + b.length[i] >= 8 &&
        (fit < 0 || a.length[i] + b.length[i] > a.length[fit] + b.length[fit]))
      fit = i;
  if (points < 20) return "pass";
  int tricks = fit >= 0 ? 24 - a.losers - b.losers : points / 3;
  int level = std::max(1, std::min(7, tricks - 6));
  return std::to_string(level) + (fit >= 0 ? "SHDC"[fit] : 'N');
}

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);

  std::map<std::string, long> shapes, contracts;
  std::array<Hand, 4> deal;
  std::string text;
  long deals = 0, slams = 0;

  for (int seat = 0; std::cin >> text; seat = (seat + 1) % 4) {
    Hand& h = deal[seat] = parse(text);
    std::cout << h.high << ' ' << h.shape() << ' ' << opening(h) << (seat < 3 ? "  " : "");
    auto sorted = h.length;
    std::sort(sorted.rbegin(), sorted.rend());
    std::string key;
    for (int n : sorted) key += std::to_string(n) + ' ';
    shapes[key]++;
    if (seat == 3) {
      std::string ns = contract(deal[0], deal[2]), ew = contract(deal[1], deal[3]);
      std::cout << "  " << ns << ' ' << ew << '\n';
      contracts[ns]++, contracts[ew]++;
      slams += ns[0] == '6' || ns[0] == '7' || ew[0] == '6' || ew[0] == '7';
      deals++;
    }
  }
  std::cout << deals << " deals, " << slams << " slams\n";

  std::ofstream out("shapes.txt");
  for (auto& s : shapes) out << s.first << s.second << '\n';
  for (auto& c : contracts) out << c.first << ' ' << c.second << '\n';
  return 0;
}
