// Pairs of programs for language_calls.py. This part is common to all of them.
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
// PAIR write 300000 std::endl
int main() {
  std::ofstream out("out");
  for (int i = 0; i < CALLS; ++i) out << i << " text" << std::endl;
}
// AFTER
int main() {
  std::ofstream out("out");
  for (int i = 0; i < CALLS; ++i) out << i << " text" << '\n';
}
// PAIR write 300000 std::unitbuf
int main() {
  std::ofstream out("out");
  out << std::unitbuf;
  for (int i = 0; i < CALLS; ++i) out << "a line of a text\n";
}
// AFTER
int main() {
  std::ofstream out("out");
  for (int i = 0; i < CALLS; ++i) out << "a line of a text\n";
}
// PAIR write 300000 write and flush
int main() {
  std::ofstream out("out", std::ios::binary);
  for (double i = 0; i < CALLS; ++i) {
    out.write(reinterpret_cast<const char*>(&i), sizeof i);
    out.flush();
  }
}
// AFTER
int main() {
  std::ofstream out("out", std::ios::binary);
  for (double i = 0; i < CALLS; ++i) out.write(reinterpret_cast<const char*>(&i), sizeof i);
}
// PAIR write 300000 write without a buffer
int main() {
  std::ofstream out;
  out.rdbuf()->pubsetbuf(nullptr, 0);
  out.open("out", std::ios::binary);
  for (double i = 0; i < CALLS; ++i) out.write(reinterpret_cast<const char*>(&i), sizeof i);
}
// AFTER
int main() {
  std::ofstream out("out", std::ios::binary);
  for (double i = 0; i < CALLS; ++i) out.write(reinterpret_cast<const char*>(&i), sizeof i);
}
// PAIR read 300000 read without a buffer
int main() {
  std::ifstream in;
  in.rdbuf()->pubsetbuf(nullptr, 0);
  in.open("lines", std::ios::binary);
  char piece[16];
  for (int i = 0; i < CALLS; ++i) in.read(piece, sizeof piece);
}
// AFTER
int main() {
  std::ifstream in("lines", std::ios::binary);
  char piece[16];
  for (int i = 0; i < CALLS; ++i) in.read(piece, sizeof piece);
}
// PAIR seek 300000 tellp
int main() {
  std::ofstream out("out");
  long sum = 0;
  for (int i = 0; i < CALLS; ++i) {
    sum += out.tellp();
    out << "a line of a text\n";
  }
  std::cout << sum;
}
// AFTER
int main() {
  std::ofstream out("out");
  long sum = 0;
  for (int i = 0; i < CALLS; ++i) {
    sum += 17 * i;
    out << "a line of a text\n";
  }
  std::cout << sum;
}
// PAIR seek 200000 tellg and getline
int main() {
  std::ifstream in("lines");
  std::string line;
  long sum = 0;
  for (int i = 0; i < CALLS; ++i) {
    sum += in.tellg();
    std::getline(in, line);
  }
  std::cout << sum;
}
// AFTER
int main() {
  std::ifstream in("lines");
  std::string line;
  long sum = 0, position = 0;
  for (int i = 0; i < CALLS; ++i) {
    sum += position;
    std::getline(in, line);
    position += static_cast<long>(line.size()) + 1;
  }
  std::cout << sum;
}
// PAIR seek 200000 seekg and read
int main() {
  std::ifstream in("lines", std::ios::binary);
  char piece[16];
  for (long i = 0; i < CALLS; ++i) {
    in.seekg(i * 7919 % 4000000);
    in.read(piece, sizeof piece);
  }
}
// AFTER
int main() {
  std::ifstream in("lines", std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  char piece[16];
  for (long i = 0; i < CALLS; ++i) {
    std::memcpy(piece, all.data() + i * 7919 % 4000000, sizeof piece);
    asm volatile("" : : "r"(piece) : "memory");
  }
}
// PAIR open 50000 std::ofstream
int main() {
  for (int i = 0; i < CALLS; ++i) std::ofstream("out", std::ios::app) << i << " text\n";
}
// AFTER
int main() {
  std::ofstream out("out", std::ios::app);
  for (int i = 0; i < CALLS; ++i) out << i << " text\n";
}
