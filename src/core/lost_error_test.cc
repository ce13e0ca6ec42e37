// set_lost_error_handler and report_lost_error, interrupted after each of their instructions.
#include "sluice/lost_error.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <thread>
#include <vector>

#include "testing/process_facts.h"

namespace sluice::testing {
namespace {

// A handler is right if it is called with the context that was set together with the handler.
struct Calls {
  int right = 0;
  int wrong = 0;
};
thread_local Calls calls;
char contexts[4];

template <int number>
void handler(const Status&, void* context) {
  ++(context == &contexts[number] ? calls.right : calls.wrong);
}

template <int number>
void set_handler() {
  set_lost_error_handler(handler<number>, &contexts[number]);
}

const Status failure = Status::failure(Operation::write, "file", EIO);

// True if the report goes to a handler with the context of this handler.
bool reports_rightly() {
  calls = {};
  report_lost_error(failure);
  return calls.right == 1 && calls.wrong == 0;
}

class LostError : public ::testing::Test {
 protected:
  LostError() { set_handler<1>(); }
  ~LostError() override { set_lost_error_handler(nullptr); }
};

TEST_F(LostError, GoesToTheHandlerWithItsOwnContext) {
  set_handler<1>();
  EXPECT_TRUE(reports_rightly());
  set_handler<2>();
  EXPECT_TRUE(reports_rightly());
}

TEST_F(LostError, GoesToAHandlerWithItsOwnContextWhileThreadsSetOthers) {
  set_handler<0>();
  std::atomic<bool> is_over = false;
  std::vector<std::thread> threads;
  const auto set_until_over = [&](void (*set)()) {
    threads.emplace_back([&is_over, set] {
      while (!is_over) set();
    });
  };
  set_until_over(set_handler<1>);
  set_until_over(set_handler<2>);
  set_until_over(set_handler<3>);
  int wrong = 0;
  for (int i = 0; i < 20'000; ++i) wrong += !reports_rightly();
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

#ifdef __x86_64__
// Runs a call one instruction at a time, and runs another call after the nth instruction. Meanwhile
// the first call stands still, like the call of a thread that waits for a processor. The processor
// traps after each instruction while the trap flag is set.
struct Stepping {
  enum class Phase { none, beginning, running, ending };
  Phase phase = Phase::none;
  std::size_t steps = 0;
  std::size_t interrupt_after = 0;
  void (*interruption)() = nullptr;
};
Stepping stepping;

constexpr std::size_t max_steps = 20'000;  // a call that takes more will never return
constexpr int never_returns = 3;

void step(int, siginfo_t*, void* context) {
  auto& flags = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
  constexpr greg_t trap_flag = 0x100;
  switch (stepping.phase) {
    case Stepping::Phase::beginning:
      stepping.phase = Stepping::Phase::running;
      flags |= trap_flag;
      break;
    case Stepping::Phase::running:
      if (++stepping.steps == stepping.interrupt_after) stepping.interruption();
      if (stepping.steps == max_steps) ::_exit(never_returns);
      break;
    case Stepping::Phase::none:
    case Stepping::Phase::ending: flags &= ~trap_flag; break;
  }
}

// False if the call has fewer than `interrupt_after` instructions.
bool run_stepwise(void (*call)(), std::size_t interrupt_after, void (*interruption)()) {
  stepping = {Stepping::Phase::beginning, 0, interrupt_after, interruption};
  static_cast<void>(::raise(SIGTRAP));
  call();
  stepping.phase = Stepping::Phase::ending;
  return stepping.steps >= interrupt_after;
}

bool all_right = true;

void report() { all_right = all_right && reports_rightly(); }

// More calls than there are places for handlers.
void set_many() {
  for (int i = 0; i < 100; ++i) set_handler<2>();
}

// These 63 calls and the interrupted call use each place once. So the next call would use the place
// of the interrupted call, which is the present place.
void report_set_and_report() {
  report();
  for (int i = 0; i < 63; ++i) set_handler<2>();
  report();
}

void set_another() {
  static bool is_third = false;
  is_third = !is_third;
  is_third ? set_handler<3>() : set_handler<0>();
}

// Interrupts the call after its first instruction, after its second one, and so on. After each
// interrupted call a report must return, and go to a handler with its own context.
int interrupt_everywhere(void (*prepare)(), void (*call)(), void (*interruption)()) {
  struct sigaction action = {};
  action.sa_sigaction = step;
  action.sa_flags = SA_SIGINFO;
  if (::sigaction(SIGTRAP, &action, nullptr) != 0) return 4;
  bool was_interrupted = true;
  std::size_t nth = 0;
  while (was_interrupted && all_right) {
    prepare();
    was_interrupted = run_stepwise(call, ++nth, interruption);
    run_stepwise(report, 0, nullptr);
  }
  const std::size_t least_instructions = 20;
  return all_right && nth > least_instructions ? 0 : 1;
}

// Runs in a child, because the test ends the process if a report never returns.
TEST_F(LostError, ASetThatIsHeldUpAnywhereHarmsNoReport) {
  if (sanitized) GTEST_SKIP() << "the sanitizer's own instructions would be stepped through";
  EXPECT_EQ(exit_code_of_child(
                [] { ::_exit(interrupt_everywhere([] {}, set_another, report_set_and_report)); }),
            0);
}

TEST_F(LostError, AReportThatIsHeldUpAnywhereGoesToAHandlerWithItsOwnContext) {
  if (sanitized) GTEST_SKIP() << "the sanitizer's own instructions would be stepped through";
  EXPECT_EQ(
      exit_code_of_child([] { ::_exit(interrupt_everywhere(set_handler<1>, report, set_many)); }),
      0);
}
#endif

}  // namespace
}  // namespace sluice::testing
