// Cleans a list of customers: reads "surname,name,telephone,mail,number" from standard input, and
// writes it in a canonical form to standard output, or a comment with the reason where a line is
// no good.
#include <algorithm>
#include <cctype>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace {

using Fields = std::vector<std::string>;

std::string trim(const std::string& s) {
  size_t from = s.find_first_not_of(" \t");
  if (from == std::string::npos) return "";
  return s.substr(from, s.find_last_not_of(" \t") - from + 1);
}

std::string lower(std::string s) {
  std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return std::tolower(c); });
  return s;
}

Fields split(const std::string& line, char separator) {
  Fields fields;
  size_t at = 0;
  for (;;) {
    size_t end = line.find(separator, at);
    fields.push_back(trim(line.substr(at, end - at)));
    if (end == std::string::npos) return fields;
    at = end + 1;
  }
}

std::string proper(const std::string& name) {
  std::string result = lower(name);
  bool start = true;
  for (char& c : result) {
    if (c == '`') c = '\'';
    if (start && std::isalpha(static_cast<unsigned char>(c)))
      c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    start = c == ' ' || c == '-' || c == '\'';
  }
  return result;
}

class Cleaner {
 public:
  Cleaner(std::istream& in, std::ostream& out) : in_(in), out_(out) {}

  void run() {
    std::string line;
    while (std::getline(in_, line)) {
      ++lines_;
      Fields fields = split(line, ',');
      std::string problem = clean(fields);
      if (problem.empty())
        print(fields);
      else
        complain(problem);
    }
  }

  void summary() const {
    out_ << "# " << lines_ << " lines\n";
    for (const auto& [problem, count] : problems_) out_ << "# " << problem << ": " << count << '\n';
  }

 private:
  std::string clean(Fields& f) {
    if (f.size() != 5) return "wrong number of fields";
    f[0] = proper(f[0]);
    f[1] = proper(f[1]);
    std::string digits;
    for (char c : f[2])
      if (std::isdigit(static_cast<unsigned char>(c))) digits += c;
    bool abroad = f[2].rfind("+", 0) == 0;
    f[2] = abroad ? "+" + digits : "0" + digits.substr(1);
    f[3] = lower(f[3]);
    size_t at = f[3].find('@');
    if (at == std::string::npos || f[3].find('.', at) == std::string::npos) return "bad address";
    return "";
  }

  void print(const Fields& f) {
    out_ << f[4];
    for (size_t i = 0; i < 4; i++) out_ << '\t' << f[i];
    out_ << '\n';
  }

  void complain(const std::string& problem) {
    ++problems_[problem];
    out_ << "# line " << lines_ << ": " << problem << '\n';
  }

  std::istream& in_;
  std::ostream& out_;
  long lines_ = 0;
  std::map<std::string, long> problems_;
};

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  Cleaner cleaner(std::cin, std::cout);
  cleaner.run();
  cleaner.summary();
  return 0;
}
