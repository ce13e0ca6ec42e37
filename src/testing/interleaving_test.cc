// All schedules are tried, and the classic mistakes are found.
#include "testing/interleaving.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <string>

#include "os/synchronization.h"
#include "testing/choices.h"
#include "testing/explore.h"

namespace sluice::testing {
namespace {

std::string found_in(const Scenario& scenario, std::size_t max_deviations = 2) {
  const std::string failure = explore_all(scenario, max_deviations).failure;
  return failure.substr(0, failure.find('\n'));
}

TEST(Interleaving, TriesEveryOrderOfSteps) {
  std::set<std::string> orders;
  const Scenario scenario = [&](Interleaving& threads) {
    std::string order;
    threads.run_together(3, [&](std::size_t thread) {
      threads.step("steps");
      order += static_cast<char>('a' + thread);
    });
    orders.insert(order);
  };
  EXPECT_EQ(explore_all(scenario, 0).schedules, 1u);
  EXPECT_EQ(orders, std::set<std::string>{"abc"});
  EXPECT_EQ(found_in(scenario, 3), "");
  EXPECT_EQ(orders, (std::set<std::string>{"abc", "acb", "bac", "bca", "cab", "cba"}));
}

TEST(Interleaving, TriesEveryVariantWithoutADeviation) {
  std::multiset<std::size_t> tried;
  EXPECT_EQ(explore_all([&](Interleaving& threads) { tried.insert(threads.any(3)); }, 0).failure,
            "");
  EXPECT_EQ(tried, (std::multiset<std::size_t>{0, 1, 2}));
}

TEST(Interleaving, FindsTwoMutexesThatAreLockedInDifferentOrder) {
  EXPECT_EQ(found_in([](Interleaving& threads) {
              os::Mutex mutexes[2];
              threads.run_together(2, [&](std::size_t thread) {
                const os::Lock first(mutexes[thread]);
                const os::Lock second(mutexes[1 - thread]);
              });
            }),
            "nobody can go on");
}

TEST(Interleaving, FindsAValueThatIsReadAndWrittenUnderTwoLocks) {
  EXPECT_EQ(found_in([](Interleaving& threads) {
              os::Mutex mutex;
              int number = 0;
              threads.run_together(2, [&](std::size_t) {
                os::Lock lock(mutex);
                const int old = number;
                lock.unlock();
                lock.lock();
                number = old + 1;
              });
              threads.require(number == 2, "one is lost");
            }),
            "one is lost");
}

// Thread 0 waits until thread 1 has come.
struct Meeting {
  os::Mutex mutex;
  os::Condition has_come;
  bool came = false;
};

TEST(Interleaving, FindsANotificationThatIsLost) {
  EXPECT_EQ(found_in([](Interleaving& threads) {
              Meeting meeting;
              const std::size_t other = threads.start([&] {
                meeting.came = true;  // without the lock
                meeting.has_come.notify_one();
              });
              os::Lock lock(meeting.mutex);
              meeting.has_come.wait(lock, [&] { return meeting.came; });
              lock.unlock();
              threads.join(other);
            }),
            "nobody can go on");
}

TEST(Interleaving, FindsAWaitWithoutACondition) {
  EXPECT_EQ(found_in([](Interleaving& threads) {
              Meeting meeting;
              const std::size_t other = threads.start([&] {
                const os::Lock lock(meeting.mutex);
                meeting.came = true;
                meeting.has_come.notify_one();
              });
              os::Lock lock(meeting.mutex);
              if (!meeting.came) meeting.has_come.wait(lock);
              threads.require(meeting.came, "nobody has come");
              lock.unlock();
              threads.join(other);
            }),
            "nobody has come");
}

TEST(Interleaving, FindsAWordThatIsNotifiedBeforeItIsStored) {
  EXPECT_EQ(found_in([](Interleaving& threads) {
              os::WaitWord word;
              const std::size_t other = threads.start([&] {
                word.notify_all();
                word.store(1);
              });
              while (word.load() == 0) word.wait(0);
              threads.join(other);
            }),
            "nobody can go on");
}

TEST(Interleaving, FindsNoFailureInACorrectMeeting) {
  EXPECT_EQ(found_in(
                [](Interleaving& threads) {
                  Meeting meeting;
                  os::WaitWord word;
                  const std::size_t other = threads.start([&] {
                    os::Lock lock(meeting.mutex);
                    meeting.came = true;
                    lock.unlock();
                    meeting.has_come.notify_all();
                    word.store(1);
                    word.notify_all();
                  });
                  os::Lock lock(meeting.mutex);
                  meeting.has_come.wait(lock, [&] { return meeting.came; });
                  while (word.load() == 0) word.wait(0);
                  lock.unlock();
                  threads.join(other);
                },
                3),
            "");
}

TEST(Interleaving, LetsATimeComeEarlyOnlyAsADeviation) {
  const Scenario scenario = [](Interleaving& threads) {
    Meeting meeting;
    const Interleaving::Time began = threads.now();
    const std::size_t other = threads.start([&] {
      threads.sleep("sleeps", std::chrono::seconds(1));
      const os::Lock lock(meeting.mutex);
      meeting.came = true;
      meeting.has_come.notify_one();
    });
    os::Lock lock(meeting.mutex);
    const bool came = meeting.has_come.wait_until(lock, began + std::chrono::seconds(2),
                                                  [&] { return meeting.came; });
    threads.require(came || threads.now() == began + std::chrono::seconds(2), "before the time");
    threads.require(came, "too late");
    lock.unlock();
    threads.join(other);
  };
  EXPECT_EQ(found_in(scenario, 0), "");
  EXPECT_EQ(found_in(scenario, 1), "too late");
}

TEST(Interleaving, FindsALoopWithoutAnEnd) {
  EXPECT_EQ(found_in([](Interleaving& threads) {
              for (;;) threads.step("steps");
            }),
            "it goes on without an end");
}

TEST(Interleaving, FindsAThreadThatIsNotJoined) {
  EXPECT_EQ(found_in([](Interleaving& threads) {
              threads.start([&] { threads.wait_for("waits", [] { return false; }); });
            }),
            "nobody can go on");
}

TEST(Interleaving, FindsAMutexThatIsUsedAfterItsEnd) {
  EXPECT_EQ(found_in([](Interleaving& threads) {
              os::Mutex mutex;
              const std::size_t other = threads.start([&] { const os::Lock lock(mutex); });
              threads.step("destroys");
              threads.bury(&mutex, sizeof mutex);
              threads.join(other);
            }),
            "something is used that is no more");
}

TEST(Interleaving, FindsAForkedChildThatDies) {
  EXPECT_EQ(
      found_in([](Interleaving& threads) { threads.run_in_forked_child([] { ::_exit(3); }); }),
      "the forked child hung or died: 768");
  EXPECT_EQ(found_in([](Interleaving& threads) { threads.run_in_forked_child([] {}); }), "");
}

TEST(Interleaving, ShowsChoicesThatRepeatTheFailure) {
  const Scenario scenario = [](Interleaving& threads) {
    int number = 0;
    threads.run_together(3, [&](std::size_t) {
      const int old = number;
      threads.step("steps");
      number = old + 1;
    });
    threads.require(number == 3, "one is lost");
  };
  const std::string failure = explore_random(scenario, 1, 1000).failure;
  const std::string before = "SLUICE_SCHEDULE='";
  const std::size_t begin = failure.find(before) + before.size();
  const std::string text = failure.substr(begin, failure.find('\'', begin) - begin);
  EXPECT_EQ(text.find(' '), std::string::npos) << "one deviation is enough: " << text;
  RepeatedChoices choices(unusual_from(text));
  Interleaving again(choices);
  EXPECT_EQ(again.run(scenario), "one is lost");
  EXPECT_TRUE(failure.ends_with(again.trace()));
}

}  // namespace
}  // namespace sluice::testing
