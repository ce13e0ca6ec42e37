// mboxindex: index an mbox file (offset, size, lines, subject, body fingerprint per message)
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

struct Message {
  long long start = 0, body = 0, end = 0;
  int lines = 0, quoted = 0;
  std::string from, subject, id;
  uint32_t print = 2166136261u;
};

static bool header(const std::string& line, const char* name, std::string& to) {
  size_t n = std::char_traits<char>::length(name);
  if (line.compare(0, n, name) != 0) return false;
  to = line.substr(line.find_first_not_of(' ', n));
  return true;
}

static std::string thread_key(std::string s) {
  while (s.compare(0, 4, "Re: ") == 0) s.erase(0, 4);
  for (char& c : s) c = (char)tolower((unsigned char)c);
  return s;
}

int main() {
  std::ifstream in("list.mbox", std::ios::binary);
  if (!in) {
    std::cerr << "list.mbox?\n";
    return 1;
  }
  std::vector<Message> all;
  std::string line;
  bool inheader = false;
  for (;;) {
    long long pos = in.tellg();
    if (!std::getline(in, line)) {
      break;
    }
    if (line.compare(0, 5, "From ") == 0) {
      all.emplace_back();
      all.back().start = pos;
      inheader = true;
      continue;
    }
    if (all.empty()) continue;
    Message& m = all.back();
    m.end = pos + (long long)line.size() + 1;
    if (inheader) {
      if (line.empty()) {
        inheader = false;
        m.body = m.end;
      } else
        header(line, "From:", m.from) || header(line, "Subject:", m.subject) ||
            header(line, "Message-ID:", m.id);
      continue;
    }
    m.lines++;
    if (line[0] == '>') {
      m.quoted++;
      continue;
    }
    for (unsigned char c : line) m.print = (m.print ^ c) * 16777619u;
  }
  std::map<std::string, std::vector<size_t>> threads;
  for (size_t i = 0; i < all.size(); i++) threads[thread_key(all[i].subject)].push_back(i);
  std::ofstream idx("list.idx");
  for (auto& m : all) {
    char b[96];
    snprintf(b, sizeof b, "%lld %lld %lld %d %d %08x ", m.start, m.body, m.end - m.start, m.lines,
             m.quoted, m.print);
    idx << b << m.id << ' ' << m.subject << '\n';
  }
  for (auto& [k, v] : threads)
    std::cout << k << ": " << v.size() << " first " << all[v[0]].id << '\n';
  std::cout << all.size() << " messages\n";
}
