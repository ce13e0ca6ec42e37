"""Mutations of write-behind, and of how threads wait for each other."""
from mutation import (
    Mutation, WRITER, IN_FLIGHT, CHOICE, COMMIT, ENGINE, LOST_ERROR, ON_INTERLEAVINGS,
    ON_LOST_ERRORS, ON_WRITE_BEHIND,
)

# Which thread waits for which, and which one writes.
WRITE_BEHIND = [
    Mutation("write-behind begins while other threads keep the processors busy", WRITER,
             "if (writing_threads(filled) >= os::processors()) choice_.write_here();", "",
             ON_WRITE_BEHIND),
    Mutation("one thread serves all Writers", "src/core/engine.h",
             "max_writing_threads = 2;", "max_writing_threads = 1;", ON_WRITE_BEHIND),
    Mutation("compressed files keep the threads of other files", IN_FLIGHT,
             "sink.is_compute_bound() ? Engine::for_compressed_blocks() : Engine::shared()",
             "Engine::shared()", ON_WRITE_BEHIND),
    Mutation("a block that the engine refused is exchanged all the same", IN_FLIGHT,
             "    std::swap(job.block, block);\n    return false;", "    return false;",
             ON_WRITE_BEHIND),
    Mutation("write-behind takes its blocks in turn, although two would do", IN_FLIGHT,
             "  reuse_latest_block();\n", "", "WriteBehind.UsesTwoBlocksIfTheSinkKeepsPace"),
    Mutation("large blocks do not lie in huge pages", "src/core/block.cc",
             "if (!os::is_mapped(bytes)) return allocate(bytes);", "return allocate(bytes);",
             "WriterCost.LargeBlocksOfALargeFileLieInHugePages"),
    Mutation("the block of a short file lies in huge pages", "src/core/writer_core.cc",
             "Block larger = Block::allocate(", "Block larger = Block::allocate_for_large_file(",
             "WriterCost.LargeBlocksOfALargeFileLieInHugePages"),
    Mutation("the first blocks of a compressed file are compressed by the program's thread",
             WRITER, "sink_->is_compute_bound()) choice_", "false) choice_", ON_WRITE_BEHIND),
    Mutation("a compressed file has a trial of the slower way at once", CHOICE,
             "  rest_blocks_ = rest_behind;\n", "", ON_WRITE_BEHIND),
    Mutation("the slower way is kept", CHOICE,
             "  if (other_is_faster) {", "  if (!other_is_faster) {", ON_WRITE_BEHIND),
    Mutation("one slow block decides about write-behind", CHOICE,
             "outliers = 1;", "outliers = 0;", ON_WRITE_BEHIND),
    Mutation("the slower way is tried as often as before", CHOICE,
             "std::min(rest_blocks_ * 2, longest_rest)", "shortest_rest", ON_WRITE_BEHIND),
    Mutation("a trial of writing here that clearly loses goes on", CHOICE,
             "return way_ == Way::here && blocks_ >= min_timed_blocks &&",
             "return false && blocks_ >= min_timed_blocks &&", ON_WRITE_BEHIND),
    Mutation("a trial of write-behind ends before all blocks are timed", CHOICE,
             "return way_ == Way::here && blocks_ >= min_timed_blocks &&",
             "return blocks_ >= min_timed_blocks &&", ON_WRITE_BEHIND),
    Mutation("a trial ends early although writing here loses a little", CHOICE,
             "kept_time_ * (100 + clear_loss_percent);", "kept_time_ * 100;", ON_WRITE_BEHIND),
    Mutation("one block decides a trial that ends early", CHOICE,
             "way_ == Way::here && blocks_ >= min_timed_blocks &&",
             "way_ == Way::here && blocks_ > outliers &&", ON_WRITE_BEHIND),
    Mutation("a small gain never makes the Writer change its way", CHOICE,
             "kept_ == Way::here ? std::min(gain, leaving_ / min_gain_of_writing) : gain", "gain",
             ON_WRITE_BEHIND),
    Mutation("a way that cannot be faster is tried", CHOICE,
             "      if (may_gain()) {", "      if (true) {", ON_WRITE_BEHIND),
]

# How threads wait for each other: only some schedules show it.
WAITING = [
    Mutation("waiters learn of a round's end after the lock is released", COMMIT,
             "  if (ends_waiting) ended_[number % 2].store(number);\n"
             "  if (failed) ended_[(number + 1) % 2].store(number + 1);\n"
             "  lock.unlock();\n",
             "  lock.unlock();\n"
             "  if (ends_waiting) ended_[number % 2].store(number);\n"
             "  if (failed) ended_[(number + 1) % 2].store(number + 1);\n",
             ON_INTERLEAVINGS, quick=True),
    Mutation("waiters learn of a round's end before its number is stored", COMMIT,
             "  if (ends_waiting) ended_[number % 2].store(number);\n"
             "  if (failed) ended_[(number + 1) % 2].store(number + 1);\n"
             "  lock.unlock();\n"
             "  if (!leaves_mark) turn_to_lead_.notify_one();  // first, because the disk is idle\n"
             "  may_append_.notify_all();\n"
             "  if (ends_waiting) ended_[number % 2].notify_all();\n",
             "  if (ends_waiting) ended_[number % 2].notify_all();\n"
             "  if (ends_waiting) ended_[number % 2].store(number);\n"
             "  if (failed) ended_[(number + 1) % 2].store(number + 1);\n"
             "  lock.unlock();\n"
             "  turn_to_lead_.notify_one();  // first, because the disk is idle\n"
             "  may_append_.notify_all();\n", ON_INTERLEAVINGS),
    Mutation("threads that wait for the round after a failed one are not woken", COMMIT,
             "  if (failed) ended_[(number + 1) % 2].store(number + 1);\n", "", ON_INTERLEAVINGS),
    Mutation("a commit waits for the round after its own", COMMIT,
             "    wait_for_round(lock, rounds_begun_);\n",
             "    wait_for_round(lock, rounds_begun_ + 1);\n", ON_INTERLEAVINGS),
    Mutation("a leader that was woken begins without checking", COMMIT,
             "turn_to_lead_.wait(lock, [this] { return !round_in_progress_; });",
             "if (round_in_progress_) turn_to_lead_.wait(lock);", ON_INTERLEAVINGS),
    Mutation("a round has two leaders", COMMIT,
             "    if (!has_next_leader_) {\n", "    if (!has_next_leader_ || is_full()) {\n",
             ON_INTERLEAVINGS),
    Mutation("the next round may begin while a mark is being written", COMMIT,
             "round_in_progress_ = leaves_mark;", "round_in_progress_ = false;",
             ON_INTERLEAVINGS),
    Mutation("the next leader is not woken", COMMIT,
             "  if (!leaves_mark) turn_to_lead_.notify_one();"
             "  // first, because the disk is idle\n", "", ON_INTERLEAVINGS),
    Mutation("only one of the appends that wait for a long one is woken", COMMIT,
             "    append_is_halfway_ = false;\n    may_append_.notify_all();\n",
             "    append_is_halfway_ = false;\n    may_append_.notify_one();\n", ON_INTERLEAVINGS),
    Mutation("a request that comes while the background thread commits is forgotten", COMMIT,
             "    asked_.store(false, std::memory_order_relaxed);\n"
             "    const std::uint64_t end = appended_.load(std::memory_order_relaxed);\n"
             "    lock.unlock();\n"
             "    static_cast<void>(commit(end));\n"
             "    lock.lock();\n",
             "    const std::uint64_t end = appended_.load(std::memory_order_relaxed);\n"
             "    lock.unlock();\n"
             "    static_cast<void>(commit(end));\n"
             "    lock.lock();\n"
             "    asked_.store(false, std::memory_order_relaxed);\n", ON_INTERLEAVINGS),
    Mutation("finish() wakes the background thread without the lock", COMMIT,
             "  {\n"
             "    const os::Lock lock(mutex_);\n"
             "    stopping_ = true;\n"
             "    asked_for_.notify_one();\n"
             "  }\n",
             "  stopping_ = true;\n  asked_for_.notify_one();\n", ON_INTERLEAVINGS),
    Mutation("a round with a sync counts later bytes as its own", COMMIT,
             "    durable_.store(round.end, std::memory_order_release);",
             "    durable_.store(appended_.load(std::memory_order_relaxed), "
             "std::memory_order_release);", ON_INTERLEAVINGS),
    Mutation("a block counts as written before the write has ended", IN_FLIGHT,
             "    if (failure_.ok()) {\n      lock.unlock();\n",
             "    --in_flight_;\n    written_.notify_one();\n"
             "    if (failure_.ok()) {\n      lock.unlock();\n", ON_INTERLEAVINGS),
    Mutation("a block is filled while it is written", IN_FLIGHT,
             "return in_flight_ < job_count_;", "return in_flight_ <= job_count_;",
             ON_INTERLEAVINGS),
    Mutation("a block that comes while the last one is finished is forgotten", ENGINE,
             "    worker->once_more = true;\n", "", ON_INTERLEAVINGS),
    Mutation("the engine forgets a submit that came while the task ran", ENGINE,
             "      worker.once_more = false;\n"
             "      lock.unlock();\n"
             "      worker.task->run();\n"
             "      lock.lock();\n"
             "    } while (worker.once_more);\n",
             "      lock.unlock();\n"
             "      worker.task->run();\n"
             "      lock.lock();\n"
             "    } while (std::exchange(worker.once_more, false) && stopping_);\n",
             ON_INTERLEAVINGS),
    Mutation("a Writer is destroyed while the engine still has its blocks", IN_FLIGHT,
             "  engine_.wait_for(*this);", "", ON_INTERLEAVINGS),
    Mutation("no thread learns that a task has finished", ENGINE,
             "    task_finished_.notify_all();\n", "", ON_INTERLEAVINGS),
    Mutation("stop() wakes only one thread", ENGINE,
             "    for (Worker& worker : workers_) worker.task_arrived.notify_one();\n",
             "    workers_[0].task_arrived.notify_one();\n", ON_INTERLEAVINGS),
    Mutation("the place of the present lost-error handler is used for the next one", LOST_ERROR,
             "present_.load() != &place &&", "true &&", ON_LOST_ERRORS),
    Mutation("a place for lost-error handlers is used by two threads", LOST_ERROR,
             "state % one_version != is_claimed &&", "state / one_version != 1000000 &&",
             ON_LOST_ERRORS),
    Mutation("a lost-error handler is read while it is set", LOST_ERROR,
             "if (place->state.load() / one_version == version) return handler;", "return handler;",
             ON_LOST_ERRORS),
]
