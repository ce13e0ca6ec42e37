// linker - puts the addresses of the symbols into the code of a program: reads the object
// file prog.obj (header, symbols, names, relocations, code), looks the names up in the list
// "exports", patches a copy of the code in prog.bin, and prints what it used and missed.
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

struct Header {
  char magic[4];
  uint32_t symbols, symboloff, nameoff, namelen, relocs, relocoff, codelen, codeoff;
};

struct Symbol {
  uint32_t name, section, value, kind;  // where the name begins in the names
};

struct Reloc {
  uint32_t site, symbol, kind;  // kind 0: absolute, 1: relative, 2: high half
  int32_t addend;
};

class Object {
 public:
  Header head;

  explicit Object(const char* path) : in(path, std::ios::binary) {
    if (!in.read(reinterpret_cast<char*>(&head), sizeof head) ||
        std::memcmp(head.magic, "OBJ1", 4) != 0) {
      std::cerr << "linker: no object file\n";
      std::exit(1);
    }
    symbols.resize(head.symbols);
    in.seekg(head.symboloff);
    in.read(reinterpret_cast<char*>(symbols.data()), symbols.size() * sizeof(Symbol));
    names.resize(head.namelen);
    in.seekg(head.nameoff);
    in.read(&names[0], names.size());
  }

  const Symbol& symbol(uint32_t i) { return symbols[i]; }

  std::string name(const Symbol& s) { return names.c_str() + s.name; }

  std::vector<Reloc> relocs() {
    std::vector<Reloc> r(head.relocs);
    in.seekg(head.relocoff);
    in.read(reinterpret_cast<char*>(r.data()), r.size() * sizeof(Reloc));
    return r;
  }

  std::string code() {
    std::string c(head.codelen, '\0');
    in.seekg(head.codeoff);
    in.read(&c[0], c.size());
    return c;
  }

 private:
  std::ifstream in;
  std::vector<Symbol> symbols;
  std::string names;
};

int main() {
  std::unordered_map<std::string, uint32_t> exports;
  std::map<std::string, int> used, missed;
  std::ifstream list("exports");
  std::string name;
  uint32_t address, sum = 0;
  long patched = 0;

  while (list >> std::hex >> address >> name) exports[name] = address;

  Object obj("prog.obj");
  std::string code = obj.code();

  for (const Reloc& r : obj.relocs()) {
    Symbol s = obj.symbol(r.symbol);
    std::string n = obj.name(s);
    uint32_t value = 0x400000 + s.value;
    if (s.section == 0) {
      auto e = exports.find(n);
      if (e == exports.end()) {
        missed[n]++;
        continue;
      }
      value = e->second;
      used[n]++;
    }
    value += r.addend;
    if (r.kind == 1)
      value -= 0x400000 + r.site;
    else if (r.kind == 2)
      value >>= 16;
    std::memcpy(&code[r.site], &value, 4);
    sum = sum * 31 + value;
    patched++;
  }
  std::ofstream("prog.bin", std::ios::binary) << code;

  std::cout << patched << " places patched, sum " << sum << '\n';
  for (auto& u : used) std::cout << u.first << ' ' << u.second << '\n';
  for (auto& m : missed) std::cout << "missing: " << m.first << ' ' << m.second << '\n';
  return 0;
}
