// Rates players by their games as they come in, and prints the new rating after each. std::cin and
// std::cout are neither tied to each other nor in step with stdio.
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

struct Player {
  double rating = 1500, deviation = 350;
};

double WeightOf(double deviation) {
  return 1 / std::sqrt(1 + 3 * std::pow(deviation * 0.0018306, 2) / 9.8696);
}

// One game by Glicko's model: the rating that is the most likely one after it, by Newton's method.
void Play(Player& one, const Player& other, double score) {
  constexpr double kScale = 0.0057565;  // ln(10) / 400
  double weight = kScale * WeightOf(other.deviation);
  double prior = 1 / (one.deviation * one.deviation), rating = one.rating, precision = prior;
  for (int step = 0; step < 6; ++step) {
    double expected = 1 / (1 + std::exp(-weight * (rating - other.rating)));
    precision = prior + weight * weight * expected * (1 - expected);
    rating += (weight * (score - expected) - prior * (rating - one.rating)) / precision;
  }
  one.rating = rating;
  one.deviation = std::fmax(std::sqrt(1 / precision), 40);
}

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  std::vector<Player> players(1000);
  std::string game, rest;
  std::size_t winner, last = 0;
  for (int i = 0; i < 300'000 && std::cin >> game >> winner; ++i) {
    std::getline(std::cin, rest);
    Player& one = players[winner % 1000];
    Player before = one;
    Play(one, players[last], 1);
    Play(players[last], before, 0);
    last = winner % 1000;
    std::cout << game << ' ' << winner << ' ' << std::lround(one.rating) << '\n';
  }
}
