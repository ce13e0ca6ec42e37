// Measures the commits per second of a Journal, and of one thread that makes O_DSYNC writes. Prints
// JSON.
//
// usage: journal_benchmark FOLDER [ROUNDS [MILLISECONDS]]
//
// Each round runs every strategy once, for MILLISECONDS. Every record has 100 bytes and counts only
// when it is durable. In "delayed" strategies every sync takes 5 ms longer.
#include <fcntl.h>
#include <sluice/journal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t record_bytes = 100;
constexpr std::size_t records_in_flight = 64;
constexpr unsigned delay_us = 5000;

std::atomic<bool> syncs_are_delayed{false};
std::atomic<unsigned long> syncs{0};

void sync_takes_place() {
  ++syncs;
  if (syncs_are_delayed) ::usleep(delay_us);
}

}  // namespace

// Replaces libc's fdatasync, also for the library.
extern "C" int fdatasync(int descriptor) {
  sync_takes_place();
  return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}

namespace {

void check(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "journal_benchmark: %s\n", what.c_str());
  std::exit(1);
}

void check(const sluice::Status& status) { check(status.ok(), status.message()); }

struct Result {
  std::vector<double> latencies_us;  // the time of each commit for which a thread waits
  std::size_t commits = 0;
  unsigned long syncs = 0;
  double seconds = 0;
};

struct Run {
  std::string path;
  Clock::duration length;
  sluice::Framing framing = sluice::Framing::raw;
};

// Calls `commit` again and again until the time is over.
void repeat(Clock::time_point end, Result& result, const std::function<void()>& commit) {
  for (Clock::time_point begin = Clock::now(); begin < end;) {
    commit();
    const Clock::time_point done = Clock::now();
    result.latencies_us.push_back(std::chrono::duration<double, std::micro>(done - begin).count());
    ++result.commits;
    begin = done;
  }
}

const std::string record(record_bytes, 'x');

Result write_with_o_dsync(const Run& run) {
  const int file = ::open(run.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC, 0600);
  check(file >= 0, "cannot open " + run.path);
  Result result;
  repeat(Clock::now() + run.length, result, [&] {
    sync_takes_place();
    check(::write(file, record.data(), record.size()) == ssize_t{record_bytes}, "short write");
  });
  ::close(file);
  return result;
}

Result commit_by_threads(const Run& run, std::size_t count) {
  sluice::Journal journal;
  check(journal.open(run.path, {.framing = run.framing}));
  std::vector<Result> results(count);
  std::vector<std::thread> threads;
  const Clock::time_point end = Clock::now() + run.length;
  for (Result& result : results) {
    threads.emplace_back([&journal, &result, end] {
      repeat(end, result, [&] {
        sluice::Journal::Ticket ticket = 0;
        check(journal.append(record, ticket));
        check(journal.commit(ticket));
      });
    });
  }
  for (std::thread& thread : threads) thread.join();
  check(journal.close());
  Result all;
  for (const Result& result : results) {
    all.commits += result.commits;
    all.latencies_us.insert(all.latencies_us.end(), result.latencies_us.begin(),
                            result.latencies_us.end());
  }
  return all;
}

enum class Wait { for_the_oldest, by_asking };

// One thread, with as many records in flight as are allowed.
Result keep_in_flight(const Run& run, Wait wait) {
  sluice::Journal journal;
  check(journal.open(run.path, {.framing = run.framing}));
  Result result;
  std::deque<sluice::Journal::Ticket> in_flight;
  const Clock::time_point end = Clock::now() + run.length;
  while (Clock::now() < end) {
    while (in_flight.size() < records_in_flight) {
      sluice::Journal::Ticket ticket = 0;
      check(journal.append(record, ticket));
      in_flight.push_back(ticket);
    }
    if (wait == Wait::for_the_oldest) check(journal.commit(in_flight.front()));
    sluice::Journal::Ticket durable = 0;
    check(journal.durable_up_to(durable));
    for (; !in_flight.empty() && in_flight.front() <= durable; ++result.commits) {
      in_flight.pop_front();
    }
  }
  check(journal.close());
  return result;
}

struct Strategy {
  std::string name;
  bool delayed;
  std::function<Result(const Run&)> body;
  std::vector<Result> results = {};
};

std::vector<Strategy> strategies() {
  const auto threads = [](std::size_t count, sluice::Framing framing = sluice::Framing::raw) {
    return [=](Run run) {
      run.framing = framing;
      return commit_by_threads(run, count);
    };
  };
  const auto in_flight = [](Wait wait) {
    return [=](const Run& run) { return keep_in_flight(run, wait); };
  };
  return {{"o_dsync", false, write_with_o_dsync},
          {"1 thread", false, threads(1)},
          {"4 threads", false, threads(4)},
          {"16 threads", false, threads(16)},
          {"16 threads, length_crc32c", false, threads(16, sluice::Framing::length_crc32c)},
          {"64 threads", false, threads(64)},
          {"256 threads", false, threads(256)},
          {"64 in flight, committing the oldest", false, in_flight(Wait::for_the_oldest)},
          {"64 in flight, asking", false, in_flight(Wait::by_asking)},
          {"delayed o_dsync", true, write_with_o_dsync},
          {"delayed 1 thread", true, threads(1)},
          {"delayed 64 threads", true, threads(64)}};
}

Result measure(const Strategy& strategy, const Run& run) {
  std::remove(run.path.c_str());
  syncs_are_delayed = strategy.delayed;
  syncs = 0;
  const Clock::time_point begin = Clock::now();
  Result result = strategy.body(run);
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  result.syncs = syncs;
  std::remove(run.path.c_str());
  return result;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

double median_of(const Strategy& strategy, const std::function<double(std::size_t)>& of_round) {
  std::vector<double> values;
  for (std::size_t i = 0; i < strategy.results.size(); ++i) values.push_back(of_round(i));
  return quantile(values, 0.5);
}

double rate(const Result& result) { return static_cast<double>(result.commits) / result.seconds; }

// Each ratio compares two strategies of the same round: a strategy and the O_DSYNC writes.
void print(const Strategy& strategy, const Strategy& baseline, bool last) {
  const auto& own = strategy.results;
  const auto& base = baseline.results;
  const auto p99 = [](const Result& result) { return quantile(result.latencies_us, 0.99); };
  std::printf(
      "    {\"name\": \"%s\", \"commits_per_second\": %.0f, \"times_o_dsync\": %.2f,\n"
      "     \"commits_per_sync\": %.1f, \"p50_us\": %.0f, \"p99_us\": %.0f, "
      "\"p99_times_o_dsync\": %.2f,\n     \"commits_per_second_by_round\": [",
      strategy.name.c_str(), median_of(strategy, [&](std::size_t i) { return rate(own[i]); }),
      median_of(strategy, [&](std::size_t i) { return rate(own[i]) / rate(base[i]); }),
      median_of(strategy,
                [&](std::size_t i) {
                  return static_cast<double>(own[i].commits) / static_cast<double>(own[i].syncs);
                }),
      median_of(strategy, [&](std::size_t i) { return quantile(own[i].latencies_us, 0.5); }),
      median_of(strategy, [&](std::size_t i) { return p99(own[i]); }),
      median_of(strategy, [&](std::size_t i) { return p99(own[i]) / p99(base[i]); }));
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::printf("%s%.0f", i == 0 ? "" : ", ", rate(own[i]));
  }
  std::printf("]}%s\n", last ? "" : ",");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr, "usage: journal_benchmark FOLDER [ROUNDS [MILLISECONDS]]\n");
    return 2;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  const std::chrono::milliseconds length(argc > 3 ? std::atoi(argv[3]) : 1000);
  const Run run{std::string(argv[1]) + "/journal-benchmark.tmp", length};
  std::vector<Strategy> all = strategies();
  for (int round = -1; round < rounds; ++round) {  // the first round warms up
    for (Strategy& strategy : all) {
      Result result = measure(strategy, run);
      if (round >= 0) strategy.results.push_back(std::move(result));
    }
  }
  const auto delayed = std::find_if(all.begin(), all.end(), [](auto& it) { return it.delayed; });
  std::printf("{\"record_bytes\": %zu, \"rounds\": %d, \"milliseconds\": %lld, \"strategies\": [\n",
              record_bytes, rounds, static_cast<long long>(length.count()));
  for (const Strategy& strategy : all) {
    print(strategy, strategy.delayed ? *delayed : all.front(), &strategy == &all.back());
  }
  std::printf("]}\n");
  return 0;
}
