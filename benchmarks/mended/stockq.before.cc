// stockq: answer warehouse queries from standard input (add SHELF N, sum A B, find TOTAL)
#include <iostream>
#include <string>
#include <vector>

class Fenwick {
  std::vector<long long> t;

 public:
  explicit Fenwick(int n) : t(n + 1) {}
  void add(int i, long long v) {
    for (; i < (int)t.size(); i += i & -i) t[i] += v;
  }
  long long sum(int i) const {
    long long s = 0;
    for (; i > 0; i -= i & -i) s += t[i];
    return s;
  }
  int find(long long v) const {
    int p = 0, k = 1;
    while (k * 2 < (int)t.size()) k *= 2;
    for (; k; k /= 2)
      if (p + k < (int)t.size() && t[p + k] < v) {
        p += k;
        v -= t[p];
      }
    return p + 1;
  }
};

int main() {
  int n, q;
  std::cin >> n >> q;
  Fenwick shelf(n);
  long long total = 0;
  for (int i = 1; i <= n; i++) {
    long long v = (i * 7919LL) % 97;
    shelf.add(i, v);
    total += v;
  }
  std::string op;
  while (q-- > 0 && std::cin >> op) {
    if (op == "add") {
      int i;
      long long v;
      std::cin >> i >> v;
      shelf.add(i, v);
      total += v;
    } else if (op == "sum") {
      int a, b;
      std::cin >> a >> b;
      std::cout << "shelves " << a << ".." << b << ": " << shelf.sum(b) - shelf.sum(a - 1) << '\n';
    } else if (op == "find") {
      long long v;
      std::cin >> v;
      if (v > total)
        std::cout << "only " << total << " in stock\n";
      else
        std::cout << "item " << v << " on shelf " << shelf.find(v) << '\n';
    }
  }
  std::cout << "stock " << total << '\n';
}
