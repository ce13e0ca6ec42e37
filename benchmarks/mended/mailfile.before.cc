// mailbox: unfolds the mail headers in headers.txt and reports how the fields and senders are
// spread
#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

// one logical header line: continuation lines start with white space
static bool read_header(std::istream& in, std::string& header) {
  std::string next;
  if (!std::getline(in, header)) return false;
  for (;;) {
    std::streampos here = in.tellg();
    if (!std::getline(in, next)) {
      in.clear();
      in.seekg(0, std::ios::end);
      return true;
    }
    if (next.empty() || !std::isspace(static_cast<unsigned char>(next[0]))) {
      in.seekg(here);
      return true;
    }
    std::size_t i = next.find_first_not_of(" \t");
    header += ' ';
    if (i != std::string::npos) header.append(next, i, std::string::npos);
  }
}

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
  while (read_header(in, header)) {
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
