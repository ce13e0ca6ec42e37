// includes - a macro preprocessor for the assembler of a small processor: expands the units
// named in "units" with their #include, #define, #ifdef and #endif lines, writes one line of
// facts for each unit to standard output, and the expanded text of the last to last.s.
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

using Lines = std::vector<std::string>;

static Lines slurp(const std::string& path) {
  Lines lines;
  std::string line;
  std::ifstream in(path);

  if (!in) {
    std::cerr << "includes: no file " << path << "\n";
    std::exit(1);
  }
  while (std::getline(in, line)) lines.push_back(line);
  return lines;
}

static Lines load(const std::string& path) { return slurp(path); }

class Unit {
 public:
  Lines out;
  int depth = 0, deepest = 0, files = 0;
  std::map<std::string, std::string> macros;

  void expand(const std::string& path) {
    int off = 0;  // how many open #ifdef are false

    deepest = std::max(deepest, ++depth);
    files++;
    for (const std::string& line : load(path)) {
      if (line.empty() || line[0] == ';') continue;
      if (line[0] != '#') {
        if (!off) out.push_back(replace(line));
        continue;
      }
      size_t gap = line.find(' ');
      std::string word = line.substr(0, gap);
      std::string rest = gap == std::string::npos ? "" : line.substr(gap + 1);
      if (word == "#endif")
        off -= off > 0;
      else if (word == "#ifdef")
        off += off || !macros.count(rest);
      else if (word == "#ifndef")
        off += off || macros.count(rest);
      else if (off)
        continue;
      else if (word == "#include")
        expand("inc/" + rest);
      else if (word == "#define") {
        gap = rest.find(' ');
        macros[rest.substr(0, gap)] = gap == std::string::npos ? "" : rest.substr(gap + 1);
      } else
        out.push_back("??? " + line);
    }
    depth--;
  }

 private:
  static bool letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }

  // the line with the macros in it (words in capitals) replaced by their texts
  std::string replace(const std::string& line) const {
    std::string to;

    for (size_t i = 0, j; i < line.size(); i = j) {
      j = i + 1;
      if (!letter(line[i])) {
        to += line[i];
        continue;
      }
      while (j < line.size() && letter(line[j])) j++;
      auto m = macros.find(line.substr(i, j - i));
      if (m == macros.end())
        to.append(line, i, j - i);
      else
        to += m->second;
    }
    return to;
  }
};

int main() {
  std::ifstream list("units");
  std::string name;
  Lines last;
  long lines = 0, files = 0;

  while (std::getline(list, name)) {
    Unit u;
    unsigned sum = 0;
    u.expand(name);
    for (const std::string& l : u.out)
      for (char c : l) sum = sum * 31 + (unsigned char)c;
    std::cout << name << ": " << u.files << " files, depth " << u.deepest << ", " << u.macros.size()
              << " macros, " << u.out.size() << " lines, sum " << sum << '\n';
    lines += u.out.size();
    files += u.files;
    last = u.out;
  }
  std::cout << "all: " << files << " files, " << lines << " lines\n";

  std::ofstream out("last.s");
  for (const std::string& l : last) out << l << '\n';
  return 0;
}
