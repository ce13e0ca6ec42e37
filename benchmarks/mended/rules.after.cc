// Scores messages by rules that an operator may change at any time: it looks at the time of their
// file for each thousandth message.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

struct Rule {
  std::string pattern;
  int points;
};

class Rules {
 public:
  explicit Rules(fs::path path) : path_(std::move(path)) {}
  int ScoreOf(std::string_view message) {
    if (messages_++ % 1000 == 0) ReadIfNew();
    int score = 0;
    for (const Rule& rule : rules_) {
      if (message.find(rule.pattern) != message.npos) score += rule.points;
    }
    return score;
  }

 private:
  void ReadIfNew() {
    fs::file_time_type changed = fs::last_write_time(path_);
    if (changed == changed_) return;
    rules_.clear();
    std::ifstream in(path_);
    for (Rule rule; in >> rule.points >> rule.pattern;) rules_.push_back(rule);
    changed_ = changed;
  }
  fs::path path_;
  fs::file_time_type changed_;
  long messages_ = 0;
  std::vector<Rule> rules_;
};

int main() {
  std::ofstream("rules.txt") << "5 99\n-2 line-1\n1 text\n7 777\n3 00\n-4 12\n2 50\n9 4321\n"
                                "1 8\n-1 19\n2 333\n-3 line-7\n1 70\n4 6060\n-2 31\n1 line-65\n";
  Rules rules("rules.txt");
  std::ifstream messages("lines");
  std::string message;
  std::vector<int> counts(64);
  while (std::getline(messages, message)) {
    int score = rules.ScoreOf(message);
    ++counts.at(score + 16);
    if (score > 14) std::cout << score << ' ' << message << '\n';
  }
  for (int count : counts) std::cout << count << '\n';
  std::remove("rules.txt");
}
