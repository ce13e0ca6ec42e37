// Translates a letter word by word with a dictionary file ("word<TAB>translation"), and prints
// the translation, then how often each unknown word was met.
#include <algorithm>
#include <cctype>
#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

class Dictionary {
 public:
  explicit Dictionary(std::string path) : path_(std::move(path)) {}

  std::optional<std::string> lookup(const std::string& word) const {
    std::ifstream file(path_);
    if (!file) throw std::runtime_error("cannot open " + path_);
    std::string line;
    while (std::getline(file, line)) {
      size_t tab = line.find('\t');
      if (tab != std::string::npos && line.compare(0, tab, word) == 0) return line.substr(tab + 1);
    }
    return std::nullopt;
  }

 private:
  std::string path_;
};

// How many letters have to be changed to make one text of the other.
static int distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  for (size_t k = 0; k <= b.size(); k++) row[k] = static_cast<int>(k);
  for (size_t i = 1; i <= a.size(); i++) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (size_t k = 1; k <= b.size(); k++) {
      int above = row[k];
      row[k] = std::min({diagonal + (a[i - 1] != b[k - 1]), above + 1, row[k - 1] + 1});
      diagonal = above;
    }
  }
  return row[b.size()];
}

class Translator {
 public:
  Translator(const Dictionary& dictionary, std::ostream& out)
      : dictionary_(dictionary), out_(out) {}

  void line(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    std::string result;
    while (words >> word) {
      if (!result.empty()) result += ' ';
      result += translated(word);
    }
    out_ << result;
    for (const std::string& earlier : recent_)
      if (distance(earlier, result) * 5 < static_cast<int>(result.size()) * 3)
        out_ << "  (much as above)";
    out_ << '\n';
    recent_.push_back(result);
    if (recent_.size() > 4) recent_.pop_front();
  }

  void report() const {
    out_ << "--\n" << known_ << " words translated\n";
    for (const auto& [word, count] : unknown_) out_ << word << ": " << count << '\n';
  }

 private:
  std::string translated(const std::string& word) {
    std::string bare, rest;
    size_t n = word.size();
    while (n > 0 && std::ispunct(static_cast<unsigned char>(word[n - 1]))) n--;
    bare = word.substr(0, n);
    rest = word.substr(n);
    if (auto found = dictionary_.lookup(bare)) {
      known_++;
      return *found + rest;
    }
    unknown_[bare]++;
    return "[" + bare + "]" + rest;
  }

  const Dictionary& dictionary_;
  std::ostream& out_;
  long known_ = 0;
  std::deque<std::string> recent_;
  std::map<std::string, long> unknown_;
};

int main() {
  try {
    Dictionary dictionary("dictionary.txt");
    Translator translator(dictionary, std::cout);
    std::ifstream letter("letter.txt");
    std::string text;
    while (std::getline(letter, text)) translator.line(text);
    translator.report();
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
