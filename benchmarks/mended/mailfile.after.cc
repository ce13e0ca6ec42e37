// mailbox: unfolds the mail headers in headers.txt and reports how the fields and senders are
// spread
#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

// one logical header line: continuation lines start with white space
class HeaderReader {
 public:
  explicit HeaderReader(std::istream& in) : in_(in) {
    pending_ = static_cast<bool>(std::getline(in_, next_));
  }

  bool read(std::string& header) {
    if (!pending_) return false;
    header.swap(next_);
    while ((pending_ = static_cast<bool>(std::getline(in_, next_)))) {
      if (next_.empty() || !std::isspace(static_cast<unsigned char>(next_[0]))) return true;
      std::size_t i = next_.find_first_not_of(" \t");
      header += ' ';
      if (i != std::string::npos) header.append(next_, i, std::string::npos);
    }
    return true;
  }

 private:
  std::istream& in_;
  std::string next_;
  bool pending_;
};

struct Stat {
  long fields = 0, bytes = 0, words = 0;
};

int main() {
  std::ifstream in("headers.txt");
  if (!in) {
    std::cerr << "headers.txt: cannot open\n";
    return 1;
  }
  std::map<std::string, Stat> fields;
  std::map<std::string, long> people;
  std::string header;
  HeaderReader reader(in);
  while (reader.read(header)) {
    std::size_t colon = header.find(':');
    if (colon == std::string::npos) continue;
    std::string name = header.substr(0, colon);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    Stat& s = fields[name];
    s.fields++;
    s.bytes += static_cast<long>(header.size());
    bool inside = false;
    for (char c : header) {
      bool blank = c == ' ' || c == ',';
      s.words += !blank && !inside;
      inside = !blank;
    }
    for (std::size_t at = header.find('@'); at != std::string::npos;
         at = header.find('@', at + 1)) {
      std::size_t b = header.find_last_of(" ,<", at) + 1;
      std::size_t e = header.find_first_of(" ,>", at);
      people[header.substr(b, e == std::string::npos ? e : e - b)]++;
    }
  }
  for (auto& f : fields)
    std::cout << f.first << ' ' << f.second.fields << ' ' << f.second.bytes << ' ' << f.second.words
              << '\n';
  std::cout << people.size() << " addresses\n";
  for (auto& p : people)
    if (p.second > 100) std::cout << p.first << ' ' << p.second << '\n';
  return 0;
}
