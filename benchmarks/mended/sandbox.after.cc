// sandbox - judges card payments: reads them from "payments" (lines: number card cents country
// hour), has each judged by the bank's rules, which run in a process of their own that holds
// the history of the cards, writes those refused to refused.txt, and prints a summary.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

struct Payment {
  uint32_t number, card, cents;
  uint16_t country, hour;
};

struct Verdict {
  uint32_t number;
  float score;
};

static bool getall(int fd, void* to, size_t len) {
  char* p = static_cast<char*>(to);

  while (len) {
    ssize_t n = read(fd, p, len);
    if (n <= 0) return false;
    p += n;
    len -= n;
  }
  return true;
}

static void putall(int fd, const void* from, size_t len) {
  if (write(fd, from, len) != static_cast<ssize_t>(len)) _exit(1);
}

class Rules {
 public:
  // how odd the payment is for its card, from 0 up
  float judge(const Payment& p) {
    Card& c = cards[p.card];
    double l = std::log(p.cents + 1.0), score = 0;

    if (c.count > 3) score += std::fabs(l - c.mean) / (std::sqrt(c.var / c.count) + 0.5);
    score += p.country != c.country && c.count ? 1.5 : 0;
    score += p.hour < 5 ? 0.7 : 0;
    double d = l - c.mean;
    c.count++;
    c.mean += d / c.count;
    c.var += d * (l - c.mean);
    c.country = p.country;
    double near = 0;  // how many of the last payments of all cards were like it
    for (const auto& r : recent)
      near += std::exp(-(l - r.first) * (l - r.first) - std::abs(p.hour - r.second) / 4.0);
    recent[next++ % recent.size()] = {l, p.hour};
    return static_cast<float>(score + 1 / (1 + near));
  }

 private:
  struct Card {
    int count = 0, country = 0;
    double mean = 0, var = 0;
  };
  std::vector<std::pair<double, int>> recent{1000};
  size_t next = 0;
  std::map<uint32_t, Card> cards;
};

// the process of the rules: a count, so many payments, then so many verdicts back
static void serve(int fd) {
  Rules rules;
  uint32_t count;
  std::vector<Payment> in;
  std::vector<Verdict> out;

  while (getall(fd, &count, sizeof count)) {
    in.resize(count);
    out.clear();
    getall(fd, in.data(), count * sizeof in[0]);
    for (const Payment& p : in) out.push_back({p.number, rules.judge(p)});
    putall(fd, out.data(), out.size() * sizeof out[0]);
  }
  _exit(0);
}

static std::vector<Verdict> ask(int fd, const std::vector<Payment>& asked) {
  uint32_t count = asked.size();
  std::vector<Verdict> v(count);

  putall(fd, &count, sizeof count);
  putall(fd, asked.data(), count * sizeof asked[0]);
  if (!getall(fd, v.data(), count * sizeof v[0])) v.clear();
  return v;
}

int main() {
  const size_t batch = 500;
  std::vector<Payment> all;
  Payment p;
  int pair[2], status;
  FILE *in = fopen("payments", "r"), *out = fopen("refused.txt", "w");

  if (!in || !out || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) {
    perror("sandbox");
    return 1;
  }
  while (fscanf(in, "%u %u %u %hu %hu", &p.number, &p.card, &p.cents, &p.country, &p.hour) == 5)
    all.push_back(p);
  pid_t child = fork();
  if (child == 0) {
    close(pair[0]);
    serve(pair[1]);
  }
  close(pair[1]);
  long refused = 0, spread[10] = {0};
  double cents = 0;
  for (size_t i = 0; i < all.size(); i += batch) {
    size_t end = std::min(all.size(), i + batch);
    std::vector<Payment> some(all.begin() + i, all.begin() + end);
    std::vector<Verdict> verdicts = ask(pair[0], some);
    for (size_t k = 0; k < verdicts.size(); k++) {
      spread[std::min(9, static_cast<int>(verdicts[k].score))]++;
      if (verdicts[k].score < 4) continue;
      refused++;
      cents += some[k].cents;
      fprintf(out, "%u card %u %u.%02u score %.3f\n", some[k].number, some[k].card,
              some[k].cents / 100, some[k].cents % 100, verdicts[k].score);
    }
  }
  close(pair[0]);
  waitpid(child, &status, 0);
  printf("%zu payments, %ld refused, %.2f in all\n", all.size(), refused, cents / 100);
  for (int i = 0; i < 10; i++) printf("score %d: %ld\n", i, spread[i]);
  return fclose(out) != 0 || status != 0;
}
