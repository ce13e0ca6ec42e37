// fork() with pending bytes: the child writes none of them, and neither process hangs.
//
// usage: fork_test SCENARIO FOLDER
#include <sluice/files.h>
#include <sluice/lost_error.h>
#include <sluice/writer.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "check.h"

namespace {

constexpr std::size_t block_bytes = 4096;

// exit() destroys it, in the child too.
std::unique_ptr<sluice::Writer> writer;

std::atomic<int> lost_errors{0};

// Writes lines by put(), so that they pass through the block and the engine.
void put_lines(sluice::Writer& target, int first, int last) {
  for (const char byte : numbered_lines(first, last)) target.put(byte);
}

// A parent with bytes in its block and full blocks in flight, and a child that does `in_child` and
// leaves by `leave`. In the end the file holds each of the parent's bytes once.
void fork_with_pending_bytes(const std::string& folder, const std::function<void()>& in_child,
                             const std::function<void()>& leave) {
  for (const auto write_behind : {sluice::WriteBehind::off, sluice::WriteBehind::on}) {
    for (const auto create : {sluice::CreateMode::truncate, sluice::CreateMode::append}) {
      const std::string path = folder + "/out";
      std::remove(path.c_str());
      writer = std::make_unique<sluice::Writer>();
      check(writer
                ->open(path,
                       {.create = create, .write_behind = write_behind, .block_bytes = block_bytes})
                .ok(),
            "the file opens");
      put_lines(*writer, 0, 10'000);
      const pid_t child = ::fork();
      if (child == 0) {
        end_when_hanging();
        in_child();
        leave();
      }
      put_lines(*writer, 10'000, 20'000);
      wait_for_success(child);
      put_lines(*writer, 20'000, 30'000);
      check(writer->close().ok(), "the parent closes its Writer");
      check(contents_of(path) == numbered_lines(0, 30'000), "each byte is in the file once");
    }
  }
}

void nothing() {}
void by_exit() { std::exit(0); }
void by_underscore_exit() { ::_exit(0); }

void child_destroys_the_writer() {
  sluice::set_lost_error_handler([](const sluice::Status&, void*) { ++lost_errors; });
  writer.reset();
  check(lost_errors == 0, "the destructor is silent in the child");
}

void child_closes_the_writer() {
  const sluice::Status first = writer->close();
  check(writer->close().message() == first.message(), "a second close says the same");
}

void child_writes_to_the_writer() {
  // Bytes that still fit the block look like the parent's. Calls that need the target fail.
  put_lines(*writer, 0, 10'000);
  check(writer->status().code().value() == ECANCELED, "writing in the child fails");
  check(!writer->put('x') && !writer->write("bytes"), "and goes on failing");
  check(writer->reserve(10).empty(), "and gives no room");
  check(writer->flush().code().value() == ECANCELED, "and so does flush");
  check(writer->close().code().value() == ECANCELED, "and close");
}

void child_flushes_the_writer() {
  check(writer->flush().code().value() == ECANCELED, "a flush in the child fails");
}

void child_moves_the_writer() {
  sluice::Writer other(std::move(*writer));
  *writer = std::move(other);
}

// The child writes a file of its own, through an engine of its own.
void write_own_file(const std::string& folder) {
  const std::string path = folder + "/child-" + std::to_string(::getpid());
  sluice::Writer own;
  check(own.open(path, {.write_behind = sluice::WriteBehind::on, .block_bytes = block_bytes}).ok(),
        "the child opens a file");
  put_lines(own, 0, 5'000);
  check(own.flush().ok(), "the child flushes");
  check(contents_of(path) == numbered_lines(0, 5'000), "the child's bytes are visible");
  put_lines(own, 5'000, 6'000);
  check(own.close().ok(), "the child closes");
  check(contents_of(path) == numbered_lines(0, 6'000), "the child's bytes are in its file");
  std::remove(path.c_str());
}

void write_own_file_in_grandchild_too(const std::string& folder) {
  write_own_file(folder);
  const pid_t grandchild = ::fork();
  if (grandchild == 0) {
    end_when_hanging();
    write_own_file(folder);
    by_exit();
  }
  write_own_file(folder);
  wait_for_success(grandchild);
}

// A Sink whose write waits for the parent's test: the engine is busy with a block at the fork.
class HeldSink final : public sluice::Sink {
 public:
  sluice::Status write(std::uint64_t, std::span<const sluice::BytesView> pieces,
                       std::size_t& written) override {
    entered = true;
    while (held) ::usleep(1'000);
    written = 0;
    for (const sluice::BytesView piece : pieces) {
      written += piece.size();
      bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    }
    return {};
  }
  sluice::Status sync() override { return {}; }
  sluice::Status close() override { return {}; }
  bool allows_write_behind() override { return true; }
  const std::string& path() const override { return name_; }

  static inline std::atomic<bool> held{false};
  static inline std::atomic<bool> entered{false};
  static inline std::string bytes;

 private:
  std::string name_ = "(held)";
};

void fork_while_the_engine_is_busy(const std::string& folder) {
  HeldSink::held = true;
  writer = std::make_unique<sluice::Writer>();
  check(writer
            ->open(std::make_unique<HeldSink>(), {.write_behind = sluice::WriteBehind::on,
                                                  .block_bytes = block_bytes,
                                                  .blocks_in_flight = 2})
            .ok(),
        "the Sink opens");
  for (std::size_t i = 0; i < 3 * block_bytes; ++i) writer->put('x');
  while (!HeldSink::entered) ::usleep(1'000);
  const pid_t child = ::fork();
  if (child == 0) {
    end_when_hanging();
    child_closes_the_writer();  // must not wait for a thread of the parent
    child_destroys_the_writer();
    write_own_file(folder);
    by_exit();
  }
  wait_for_success(child);
  HeldSink::held = false;
  check(writer->close().ok(), "the parent closes its Writer");
  check(HeldSink::bytes == std::string(3 * block_bytes, 'x'), "each byte arrived once");
}

// Locks of the library may be held by another thread at the moment of the fork.
void fork_while_other_threads_write(const std::string& folder) {
  std::atomic<bool> stop{false};
  const std::string path = folder + "/busy";
  std::thread busy([&] {
    while (!stop) {
      sluice::Writer target;
      check(target.open(path, {.write_behind = sluice::WriteBehind::on, .block_bytes = block_bytes})
                .ok(),
            "the busy thread opens its file");
      put_lines(target, 0, 5'000);
      check(target.close().ok(), "the busy thread closes its file");
    }
  });
  for (int i = 0; i < 50; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      end_when_hanging();
      write_own_file(folder);
      by_underscore_exit();
    }
    wait_for_success(child);
  }
  stop = true;
  busy.join();
  check(contents_of(path) == numbered_lines(0, 5'000), "the busy thread's file is whole");
}

void run_a_command_with_pending_bytes(const std::string& folder) {
  const std::string path = folder + "/out";
  writer = std::make_unique<sluice::Writer>();
  check(writer->open(path).ok(), "the file opens");
  put_lines(*writer, 0, 100);
  check(std::system("true") == 0, "a command runs");
  put_lines(*writer, 100, 200);
  check(writer->flush().ok(), "the parent flushes");
  const std::string command =
      "test $(wc -c <" + path + ") = " + std::to_string(numbered_lines(0, 200).size());
  check(std::system(command.c_str()) == 0, "a command sees what was flushed");
  check(writer->close().ok(), "the parent closes its Writer");
  check(contents_of(path) == numbered_lines(0, 200), "each byte is in the file once");
}

// When a large file is read, the engine helps with its memory.
void read_a_large_file_in_the_child(const std::string& folder) {
  const std::string text = numbered_lines(0, 2'500'000);
  check(sluice::write_file(folder + "/large", text).ok(), "a large file is written");
  sluice::Bytes bytes;
  check(sluice::read_file(folder + "/large", bytes).ok(), "the parent reads it");
  const pid_t child = ::fork();
  if (child == 0) {
    end_when_hanging();
    sluice::Bytes own;
    check(sluice::read_file(folder + "/large", own).ok(), "the child reads it");
    check(own.text() == text, "the child reads what is there");
    by_exit();
  }
  wait_for_success(child);
}

using Scenario = std::function<void(const std::string& folder)>;

Scenario pending(void (*in_child)(), void (*leave)()) {
  return [=](const std::string& folder) { fork_with_pending_bytes(folder, in_child, leave); };
}

const std::map<std::string, Scenario>& scenarios() {
  static const std::map<std::string, Scenario> all = {
      {"child_exits", pending(nothing, by_exit)},
      {"child_leaves_by_underscore_exit", pending(nothing, by_underscore_exit)},
      {"child_destroys", pending(child_destroys_the_writer, by_underscore_exit)},
      {"child_closes", pending(child_closes_the_writer, by_exit)},
      {"child_writes", pending(child_writes_to_the_writer, by_exit)},
      {"child_flushes", pending(child_flushes_the_writer, by_exit)},
      {"child_moves", pending(child_moves_the_writer, by_exit)},
      {"child_writes_own_file",
       [](const std::string& folder) {
         fork_with_pending_bytes(
             folder, [&] { write_own_file(folder); }, by_exit);
       }},
      {"grandchild_writes_own_file",
       [](const std::string& folder) {
         fork_with_pending_bytes(
             folder, [&] { write_own_file_in_grandchild_too(folder); }, by_exit);
       }},
      {"engine_is_busy", fork_while_the_engine_is_busy},
      {"other_threads_write", fork_while_other_threads_write},
      {"command_runs", run_a_command_with_pending_bytes},
      {"child_reads_a_large_file", read_a_large_file_in_the_child},
  };
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || !scenarios().contains(argv[1])) {
    std::fprintf(stderr, "usage: fork_test SCENARIO FOLDER\n");
    return 2;
  }
  end_when_hanging();
  scenarios().at(argv[1])(argv[2]);
  return 0;
}
