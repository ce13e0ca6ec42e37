"""What is broken on purpose, one at a time.

Each mutation replaces a text that stands exactly once in its file. The tests that are run are a
filter of GoogleTest's; the first that fails ends the mutation. `quick` ones run in every test run.
"""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Mutation:
    name: str
    file: str
    text: str
    replacement: str
    tests: str
    quick: bool = False
    needs_root: bool = False  # the test that bites is skipped for everybody else


SINK = "src/backend/file_sink.cc"
REPLACING = "src/backend/replacing_sink.cc"
TARGET = "src/backend/target.cc"
WRITE_BACK = "src/backend/write_back.h"
SINK_WRITE = "src/core/sink_write.h"
WRITER = "src/core/writer.cc"
IN_FLIGHT = "src/core/blocks_in_flight.cc"
ENGINE = "src/core/engine.cc"
CHOICE = "src/core/write_behind_choice.cc"
JOURNAL = "src/core/journal.cc"
COMMIT = "src/core/group_commit.cc"
ENGINE = "src/core/engine.cc"
RECORDS = "src/core/journal_records.cc"
FORMAT = "src/core/journal_format.cc"
RECOVERY = "src/core/journal_recovery.cc"
FILE = "src/os/file.cc"
CANCELLATION = "src/os/cancellation.h"
GUARDED = "src/os/guarded.h"
STATUS = "src/os/status.cc"
DIRECTORY = "src/os/directory.cc"
ATTRIBUTES = "src/os/attributes.cc"
CALLS = "src/os/system_calls.cc"

ON_MEMORY = "OutOfMemory.*:Status.*"
ON_WRITERS = "WriterDurability.*:WriterSync.*:DurabilityModes.*:DurableName.*:UnreadableDir*"
ON_REPLACING = "Replace.*:ReplaceKeeping.*:StagedSink.*"
ON_JOURNALS = "Journal*"
ON_INTERLEAVINGS = "*Interleavings.*"
ON_FAILURES = "*Failures*:Writer.*:WriteBehind.*:WriterTarget.*"
ON_WRITE_BEHIND = "WriteBehind*.*:StalledSink.*:WriterModel.*"
ON_FAILURES = "*Failures*:Writer.*:WriterReserve.*:WriteBehind.*:WriterTarget.*"

NAME_SYNC = "if (Status status = directory_.sync_with_attributes(); !status.ok()) return status;"
UNSYNCED = "if (is_unsupported_sync(status) || has_to_sync_directory(status)) return status;"
FDATASYNC = """  const long result = uninterrupted([&] { return calls().fdatasync(descriptor_); });
"""

# Every sync, left out.
SYNCS = [
    Mutation("close does not sync", WRITER,
             "const bool durable = durability_ != Durability::none;", "const bool durable = false;",
             ON_WRITERS),
    Mutation("flush to storage does not sync", WRITER,
             "if (to == FlushTo::storage || durability_ == Durability::every_flush) {",
             "if (false) {", ON_WRITERS),
    Mutation("every_flush is taken for on_close", WRITER,
             "if (to == FlushTo::storage || durability_ == Durability::every_flush) {",
             "if (to == FlushTo::storage) {", ON_WRITERS),
    Mutation("every_write does not sync", WRITER,
             "  Status status = sink_->sync();\n"
             "  return status.ok() || fail(writer, std::move(status));",
             "  return true;", ON_WRITERS),
    Mutation("every_write opens without O_DSYNC", FILE,
             "if (written == Written::durable) flags |= O_DSYNC;", "", ON_WRITERS),
    Mutation("the bytes of a file are not synced", FILE,
             "return calls().fdatasync(descriptor_);", "return 0;", ON_WRITERS, quick=True),
    Mutation("a file and its attributes are not synced", FILE,
             "return calls().fsync(descriptor_);", "return 0;", ON_REPLACING),
    Mutation("the bytes are synced, the attributes are not", FILE,
             "return calls().fsync(descriptor_);", "return calls().fdatasync(descriptor_);",
             ON_REPLACING + ":Crash*"),
    Mutation("a new name is not synced", SINK,
             NAME_SYNC, "", ON_WRITERS),
    Mutation("a name is taken for durable after a sync that failed", SINK,
             f"    {NAME_SYNC}\n    sync_name_ = false;",
             f"    sync_name_ = false;\n    {NAME_SYNC}",
             ON_WRITERS),
    Mutation("a name is synced instead of the bytes", SINK,
             "if (Status status = file_.sync(); !status.ok()) return status;\n"
             "      sync_bytes_ = !writes_are_durable_;",
             "sync_bytes_ = !writes_are_durable_;", ON_WRITERS),
    Mutation("what opening has cut is not synced where each write is durable", SINK,
             "sync_bytes_(true),", "sync_bytes_(syncing != Syncing::name_once),", ON_WRITERS),
    Mutation("another directory is synced", FILE,
             "if (result >= 0 && !is_it) result = -ENOENT;", "", ON_WRITERS),
    Mutation("a directory that cannot be opened is not missed", FILE,
             "if (code != EACCES && code != ENOENT) return status;",
             "if (code != EACCES && code != ENOENT) return {};", ON_WRITERS),
    Mutation("the directory of a new file is not found before it is needed", SINK,
             "if (Status status = hold_directory(is_old); !status.ok()) return status;", "",
             ON_WRITERS),
    Mutation("a new file is taken for an old one", SINK,
             "is_old = status.ok();", "is_old = true;", ON_WRITERS, needs_root=True),
    Mutation("an old file is taken for a new one", SINK,
             "is_old = status.ok();", "", ON_WRITERS, needs_root=True),
    Mutation("a file is replaced by one that was not synced", REPLACING,
             "if (Status status = file_.sync_with_attributes(); !status.ok()) return status;", "",
             ON_REPLACING, quick=True),
    Mutation("the directory of a replaced file is not synced", REPLACING,
             "return target_.directory.sync();", "return {};", ON_REPLACING),
    Mutation("the sync of a directory does nothing", DIRECTORY,
             "return calls().fsync(descriptor());", "return 0;", ON_REPLACING),
    Mutation("a commit does not sync", COMMIT,
             "return file_.sync().at(durable_.load(std::memory_order_relaxed));", "return {};",
             ON_JOURNALS, quick=True),
    Mutation("a Journal does not sync what it found", JOURNAL,
             "Status status = file.sync();", "Status status;", ON_JOURNALS),
    Mutation("a Journal does not sync what it cut off", RECOVERY,
             "return status.ok() && (is_torn || lacks_mark) ? file.sync() : status;",
             "return status;", ON_JOURNALS),
    Mutation("a Journal does not sync its header", RECOVERY,
             "  return status.ok() ? file.sync() : status;\n}\n\nStatus scan(",
             "  return status;\n}\n\nStatus scan(", ON_JOURNALS),
    Mutation("a copy of a torn end is not synced", RECOVERY,
             "  Status status = file_.sync();\n  if (status.ok()) status = file_.sync_directory();",
             "  Status status = file_.sync_directory();", ON_JOURNALS),
    Mutation("the name of a copy of a torn end is not synced", RECOVERY,
             "if (status.ok()) status = file_.sync_directory();", "", ON_JOURNALS),
    Mutation("a Journal believes what memory has of the file", JOURNAL,
             "if (status.ok()) file.forget_cached();", "", ON_JOURNALS),
    Mutation("a Journal does not sync its name", JOURNAL,
             "return status.ok() ? file.sync_directory() : status;", "return status;",
             ON_JOURNALS),
]

# The order of steps.
ORDER = [
    Mutation("a file is cut before its directory is found", SINK,
             "return may_be_refused ? os::File::Access::overwrite : os::File::Access::truncate;",
             "return may_be_refused ? os::File::Access::truncate : os::File::Access::truncate;",
             ON_WRITERS),
    Mutation("a file that is to be durable is not cut", SINK,
             "return options.create == CreateMode::truncate ? file_.drop_bytes() : Status();",
             "return {};", ON_WRITERS),
    Mutation("the directory is synced before the rename", REPLACING,
             "    if (!renamed_) {\n"
             "      Status status = os::guarded_status(path_, [this] { return put_in_place(); });\n"
             "      if (!status.ok()) return status;\n"
             "    }\n"
             "    return target_.directory.sync();",
             "    Status synced = target_.directory.sync();\n"
             "    if (!renamed_) {\n"
             "      Status status = os::guarded_status(path_, [this] { return put_in_place(); });\n"
             "      if (!status.ok()) return status;\n"
             "    }\n"
             "    return synced;", ON_REPLACING),
    Mutation("a file is synced after the rename", REPLACING,
             "    if (Status status = file_.sync_with_attributes(); !status.ok()) return status;\n"
             "    if (Status status = file_.duplicate(held_); !status.ok()) return status;\n"
             "    if (Status status = file_.close(); !status.ok()) return status;\n"
             "    if (Status status = expect_own_file(); !status.ok()) return status;\n"
             "    Status status = target_.directory.rename(temporary_name_, target_.name);",
             "    if (Status status = file_.duplicate(held_); !status.ok()) return status;\n"
             "    Status status = target_.directory.rename(temporary_name_, target_.name);\n"
             "    if (Status late = file_.sync_with_attributes(); !late.ok()) return late;\n"
             "    if (Status late = file_.close(); !late.ok()) return late;", ON_REPLACING),
    Mutation("a file that was exchanged for another is put in place", REPLACING,
             "if (Status status = expect_own_file(); !status.ok()) return status;", "",
             ON_REPLACING),
    Mutation("a Reader opens a directory", "src/backend/file_source.cc",
             "if (Status status = file.refuse_directory(); !status.ok()) return status;", "",
             "Reader.*"),
    Mutation("a lock that a signal interrupts fails", FILE,
             "uninterrupted([&] { return calls().lock(descriptor_); })",
             "calls().lock(descriptor_)", "*JournalFailures*"),
    Mutation("what chattr has fixed is noticed at close only", TARGET,
             "return status.ok() ? refuse_fixed(path, target) : status;", "return status;",
             "ReplaceFixed.*"),
    Mutation("another's file is taken away", REPLACING,
             "return !looked.ok() || is_ours ?", "return true ?", ON_REPLACING),
    Mutation("attributes are set after the sync", REPLACING,
             "    if (Status status = set_attributes(); !status.ok()) return status;\n"
             "    if (Status status = file_.sync_with_attributes(); !status.ok()) return status;",
             "    if (Status status = file_.sync_with_attributes(); !status.ok()) return status;\n"
             "    if (Status status = set_attributes(); !status.ok()) return status;",
             ON_REPLACING + ":Crash*"),
    Mutation("a name is synced before the bytes", WRITER,
             "if (!is_usable(writer) || !drain(writer) || !emit(writer, {})) return status_;\n"
             "  if (to == FlushTo::storage || durability_ == Durability::every_flush) {\n"
             "    Status status = sink_->sync();",
             "Status status = sink_->sync();\n"
             "  if (!is_usable(writer) || !drain(writer) || !emit(writer, {})) return status_;\n"
             "  if (to == FlushTo::storage || durability_ == Durability::every_flush) {",
             ON_WRITERS + ":Crash*"),
    Mutation("flush does not wait for the blocks in flight", WRITER,
             "if (!is_usable(writer) || !drain(writer) || !emit(writer, {})) return status_;",
             "if (!is_usable(writer) || !emit(writer, {})) return status_;", ON_FAILURES),
    Mutation("a gathered payload overtakes the blocks in flight", WRITER,
             "return drain(writer) && emit(writer, data.first(data.size() - kept)) &&",
             "return emit(writer, data.first(data.size() - kept)) &&", ON_FAILURES),
    Mutation("a round is durable before its sync", COMMIT,
             "  Status status = write_and_sync(round, sync);",
             "  durable_.store(round.end, std::memory_order_release);\n"
             "  Status status = write_and_sync(round, sync);", ON_JOURNALS + ":Crash*"),
    Mutation("a write without a sync counts as durable", COMMIT,
             "if (sync == Sync::no) return {};",
             "if (sync == Sync::no) return durable_.store(round.end), Status();",
             ON_JOURNALS + ":Crash*"),
    Mutation("a mark speaks of what no sync has covered", COMMIT,
             "format_->mark(round.begin + before, committed_end_);",
             "format_->mark(round.begin + before, round.begin + before);",
             ON_JOURNALS + ":Crash*"),
    Mutation("a mark speaks of half a record", COMMIT,
             "committed_end_ = round.record_end;", "committed_end_ = round.end;", ON_JOURNALS),
    Mutation("a mark stands within a record", COMMIT,
             "leaves_mark = format_ && is_idle();",
             "leaves_mark = format_ && appended_ == round.end;", ON_JOURNALS),
    Mutation("a torn end is cut off before it is kept", RECOVERY,
             "  if (is_torn && status.ok()) status = keep_torn(file, recovered);\n"
             "  if (is_torn && status.ok()) status = file.truncate(recovered.whole_bytes);\n",
             "  if (is_torn && status.ok()) status = file.truncate(recovered.whole_bytes);\n"
             "  if (is_torn && status.ok()) status = keep_torn(file, recovered);\n", ON_JOURNALS),
    Mutation("a Journal locks a file that has lost its name", JOURNAL,
             "if (status.ok()) status = file.has_its_name(has_its_name);", "has_its_name = true;",
             ON_JOURNALS),
]

# Errors that nobody looks at.
ERRORS = [
    Mutation("a short write is taken for a whole one", FILE,
             "    written += static_cast<std::size_t>(result);\n",
             "    for (const ConstBytes piece : pieces) written += piece.size();\n    return {};\n",
             "FileSink.*:" + ON_FAILURES, quick=True),
    Mutation("the rest of a short write goes to the wrong place", FILE,
             "[&] { return call(batch, position + written); });",
             "[&] { return call(batch, position); });", "FileSink.*:" + ON_FAILURES),
    Mutation("a write of nothing is tried for ever", FILE,
             "if (result <= 0) {  //", "if (result < 0) {  //",
             "Writer.ReportsAKernelThatTakesNothingAndSaysNothing"),
    Mutation("a failed write names another byte", FILE,
             "return Status::failure(Operation::write, path_, code, position + written,",
             "return Status::failure(Operation::write, path_, code, position,", ON_FAILURES),
    Mutation("a timeout of a socket is waited beyond", FILE,
             "if ((flags & O_NONBLOCK) == 0) return result;", "",
             "WriterTarget.TakesEAGAINOfADescriptorThatWaitsByItselfForAFailure"),
    Mutation("a descriptor that is not open for writing is attached", FILE,
             "if (use != O_RDWR && use != mode) {", "if (false) {", ON_FAILURES),
    Mutation("a Sink that wrote less is believed", SINK_WRITE,
             "if (written == bytes) return {};", "return {};", ON_FAILURES),
    Mutation("an error of fdatasync is not looked at", FILE,
             FDATASYNC + "  return result < 0 ? sync_failed(error_of(result)) : Status();",
             "  uninterrupted([&] { return calls().fdatasync(descriptor_); });\n  return {};",
             ON_WRITERS, quick=True),
    Mutation("an error of fsync is not looked at", FILE,
             "  const long result = uninterrupted([&] { return calls().fsync(descriptor_); });\n"
             "  return result < 0 ? sync_failed(error_of(result)) : Status();",
             "  uninterrupted([&] { return calls().fsync(descriptor_); });\n  return {};",
             ON_REPLACING),
    Mutation("an fdatasync that failed is tried again", FILE,
             FDATASYNC, FDATASYNC.replace("const long", "long") +
             "  if (result < 0) result = calls().fdatasync(descriptor_);\n", ON_WRITERS),
    Mutation("every fdatasync that the file does not support is ok", FILE,
             "if (known && !S_ISREG(facts.st_mode) && !S_ISBLK(facts.st_mode) && "
             "!S_ISDIR(facts.st_mode)) {",
             "if (known) {", ON_WRITERS),
    Mutation("a read-only file system counts as one that cannot sync", FILE,
             "if (!unsupported) return Status::failure(Operation::sync, path_, code);",
             "if (!unsupported) return {};", ON_WRITERS),
    Mutation("an error of close is not looked at", FILE,
             "if (result < 0 && result != -EINTR) {", "if (false) {", ON_FAILURES),
    Mutation("a close that a signal interrupted is made again", FILE,
             "  const long result = calls().close(descriptor);\n",
             "  const long result = uninterrupted([&] { return calls().close(descriptor); });\n",
             ON_FAILURES),
    Mutation("an error of rename is not looked at", DIRECTORY,
             "return result < 0 ? Status::failure(Operation::replace, path(), error_of(result)) "
             ": Status();", "return result < 0 ? Status() : Status();", ON_REPLACING),
    Mutation("a rename that failed counts as made", REPLACING,
             "renamed_ = status.ok();", "renamed_ = true;", ON_REPLACING),
    Mutation("an error of the close before the rename is not looked at", REPLACING,
             "if (Status status = file_.close(); !status.ok()) return status;\n",
             "static_cast<void>(file_.close());\n", ON_REPLACING),
    Mutation("an error of a directory's sync is not looked at", DIRECTORY,
             "  if (result >= 0) return {};\n"
             "  return failed_call(Operation::sync_directory, path(), error_of(result),",
             "  return {};\n"
             "  return failed_call(Operation::sync_directory, path(), error_of(result),",
             ON_REPLACING),
    Mutation("attributes that cannot be kept are not missed", REPLACING,
             "if (Status status = set_attributes(); !status.ok()) return status;",
             "static_cast<void>(set_attributes());", ON_REPLACING),
    Mutation("an owner that cannot be kept is not refused at open", REPLACING,
             "if (status.ok()) status = replacing->keep_owner();", "", ON_REPLACING,
             needs_root=True),
    Mutation("an error of fchmod is not looked at", ATTRIBUTES,
             'return result < 0 ? not_kept(file, result, {"its permissions cannot be kept"}) '
             ": Status();", "static_cast<void>(result);\n  return {};", ON_REPLACING),
    Mutation("an extended attribute that cannot be set is not missed", ATTRIBUTES,
             '  return not_kept(to, result, {"its extended attribute ", name, " cannot be kept"});',
             "  return {};", ON_REPLACING),
    Mutation("a Journal's directory that cannot be opened is not missed", FILE,
             "if (!status.ok() || !directory.is_open()) return status;",
             "if (!status.ok() || !directory.is_open()) return {};", ON_JOURNALS),
    Mutation("a failure of write-behind is not told to who hands the next block over", WRITER,
             "if (!status.ok()) return fail(writer, std::move(status));\n"
             "  begin_position_ += bytes;", "static_cast<void>(status);\n"
             "  begin_position_ += bytes;", ON_FAILURES),
    Mutation("a failure of publishing is not looked at", WRITER,
             "    if (!status.ok()) fail(writer, std::move(status));\n"
             "    if (stays_open) return status_;", "    if (stays_open) return status_;",
             ON_REPLACING + ":" + ON_FAILURES),
    Mutation("a failure of the Sink's close is not looked at", WRITER,
             "const Status closed = sink_->close();",
             "static_cast<void>(sink_->close());\n  const Status closed;",
             ON_FAILURES + ":WriterSync.*"),
    Mutation("a temporary file that stays behind is not told of after a failure", WRITER,
             "return first.also(closed);", "return status_;", ON_REPLACING),
    Mutation("a temporary file that stays behind is not told of at open", REPLACING,
             "return status.also(replacing->close());", "return status;", ON_REPLACING),
    Mutation("an error of unlock is not looked at", FILE,
             "  const long result = uninterrupted([&] { return calls().unlock(descriptor_); });\n"
             "  return result < 0 ? Status::failure(Operation::close, path_, error_of(result)) "
             ": Status();",
             "  static_cast<void>(calls().unlock(descriptor_));\n  return {};", ON_JOURNALS),
    Mutation("a record of which a part was refused counts as appended", COMMIT,
             "if (!copy(lock, payload)) return status_;", "static_cast<void>(copy(lock, payload));",
             ON_JOURNALS),
    Mutation("a record of which the head was refused counts as appended", COMMIT,
             "if (format_ && !copy_head(lock, payload, checksum)) return status_;",
             "if (format_) static_cast<void>(copy_head(lock, payload, checksum));", ON_JOURNALS),
    Mutation("a failure of the last mark is not told by close", COMMIT,
             "return committed.ok() ? status() : committed;", "return committed;", ON_JOURNALS),
    Mutation("an error of write-back is not looked at", FILE,
             "if (result >= 0 || result == -ESPIPE || result == -ENOSYS || result == -ENOTSUP) "
             "return {};", "return {};", ON_WRITERS),
    Mutation("an error of the truncation is not looked at", FILE,
             "return result < 0 ? Status::failure(Operation::write, path_, error_of(result), "
             "bytes) : Status();", "return {};", ON_JOURNALS),
    Mutation("a Journal's write error is not looked at", COMMIT,
             "if (Status status = write(round); !status.ok()) return status;",
             "static_cast<void>(write(round));", ON_JOURNALS),
    Mutation("a Journal that could not be made to start with its header is opened", RECOVERY,
             "status = write_whole(file, 0, format->header());",
             "static_cast<void>(write_whole(file, 0, format->header()));", ON_JOURNALS),
    Mutation("what could not be kept is cut off", RECOVERY,
             "status = keep_torn(file, recovered);",
             "static_cast<void>(keep_torn(file, recovered));", ON_JOURNALS),
    Mutation("half a copy of a torn end stays behind", RECOVERY,
             "    if (is_there_) os::remove_file(path_);\n", "", ON_JOURNALS),
    Mutation("a Journal that could not be cut off is opened", RECOVERY,
             "status = file.truncate(recovered.whole_bytes);",
             "static_cast<void>(file.truncate(recovered.whole_bytes));", ON_JOURNALS),
    Mutation("an error of the Journal's close is not looked at", JOURNAL,
             "for (Status status : {file_.unlock(), file_.close()}) {\n"
             "    if (result.ok()) result = std::move(status);",
             "for (Status status : {file_.unlock(), file_.close()}) {", ON_JOURNALS),
    Mutation("a failed read counts as the end of the records", RECORDS,
             "const Status status = file_.read_at(position_ + (end_ - begin_), room, got);\n"
             "    if (!status.ok()) return status;",
             "const Status status = file_.read_at(position_ + (end_ - begin_), room, got);\n"
             "    if (!status.ok()) return {};", ON_JOURNALS),
]

# A failure stays the first one, for ever and for all.
LATCHING = [
    Mutation("a Writer forgets its failure", WRITER,
             "  status_ = std::move(status);\n  return false;\n}\n\n// What is pending",
             "  return false;\n}\n\n// What is pending", ON_FAILURES),
    Mutation("a later failure of a Writer hides the first", WRITER,
             "  if (!status_.ok()) return false;\n"
             "  begin_position_ = status.offset().value_or(begin_position_);",
             "  begin_position_ = status.offset().value_or(begin_position_);",
             ON_FAILURES + ":WriterSync.*"),
    Mutation("a failed sync is not kept", WRITER,
             f"    {UNSYNCED}\n"
             "    if (!status.ok()) fail(writer, std::move(status));",
             "    if (!status.ok()) return status;", ON_WRITERS),
    Mutation("a sync that is not supported is final", WRITER,
             UNSYNCED, "if (has_to_sync_directory(status)) return status;", ON_WRITERS),
    Mutation("a name that cannot be synced is final", WRITER,
             UNSYNCED, "if (is_unsupported_sync(status)) return status;", ON_WRITERS),
    Mutation("close says ok after a failure", WRITER,
             "close_result_ = close_sink(writer);",
             "static_cast<void>(close_sink(writer));\n    close_result_ = Status();", ON_FAILURES),
    Mutation("a failed Writer is published", WRITER,
             "  if (status_.ok()) {\n    Status status = sink_->publish();",
             "  {\n    Status status = sink_->publish();", ON_REPLACING),
    Mutation("a block is written after one that failed", IN_FLIGHT,
             "    if (failure_.ok()) {", "    {", ON_FAILURES),
    Mutation("write-behind forgets its failure", IN_FLIGHT,
             "if (!status.ok()) failure_ = std::move(status);", "", ON_FAILURES),
    Mutation("a Journal forgets its failure", COMMIT,
             "    status_ = std::move(status);\n"
             "    failed_.store(true, std::memory_order_release);",
             "    static_cast<void>(status);", ON_JOURNALS),
    Mutation("a Journal tells its failure to those with the lock alone", COMMIT,
             "    failed_.store(true, std::memory_order_release);\n", "", ON_JOURNALS),
    Mutation("a Journal goes on after a failed round", COMMIT,
             "if (status_.ok()) run_round(lock, Sync::yes);", "run_round(lock, Sync::yes);",
             ON_JOURNALS),
    Mutation("commit trusts that its round went well", COMMIT,
             "  if (durable_.load(std::memory_order_acquire) >= position) return {};\n"
             "  return status();\n}\n\nvoid GroupCommit::lead_next_round",
             "  return {};\n}\n\nvoid GroupCommit::lead_next_round", ON_JOURNALS),
]

# Who waits for whom, and who writes.
WRITE_BEHIND = [
    Mutation("write-behind begins while other threads keep the processors busy", WRITER,
             "if (writing_threads(filled) >= os::processors()) choice_.write_here();", "",
             ON_WRITE_BEHIND),
    Mutation("one thread serves all Writers", "src/core/engine.h",
             "most_threads = 2;", "most_threads = 1;", ON_WRITE_BEHIND),
    Mutation("a block that the engine refused is exchanged all the same", IN_FLIGHT,
             "    std::swap(job.block, block);\n    return false;", "    return false;",
             ON_WRITE_BEHIND),
    Mutation("the slower way is kept", CHOICE,
             "  if (other_is_faster) {", "  if (!other_is_faster) {", ON_WRITE_BEHIND),
    Mutation("one slow block decides", CHOICE,
             "outliers = 1;", "outliers = 0;", ON_WRITE_BEHIND),
    Mutation("what has lost is tried as often as before", CHOICE,
             "std::min(rest_blocks_ * 2, longest_rest)", "shortest_rest", ON_WRITE_BEHIND),
    Mutation("what cannot gain is tried", CHOICE,
             "      if (may_gain()) {", "      if (true) {", ON_WRITE_BEHIND),
]

# Signals.
INTERRUPTIONS = [
    Mutation("an interrupted write fails", FILE,
             "if (result == -EINTR) continue;", "if (false) continue;", ON_FAILURES),
    Mutation("an interrupted sync fails", "src/os/file.h",
             "} while (result == -EINTR);", "} while (false);", ON_WRITERS),
    Mutation("an interrupted truncation fails", FILE,
             "result = calls().truncate(descriptor_, bytes);\n  } while (result == -EINTR);",
             "result = calls().truncate(descriptor_, bytes);\n  } while (false);", ON_JOURNALS),
]

INTERRUPTIONS += [
    Mutation(f"an interrupted {call} fails", file, f"[&] {{ return {text}; }}",
             f"[&] {{ const long once = {text}; return once == -EINTR ? -EIO : once; }}",
             ON_REPLACING, needs_root=True)
    for call, file, text in (
        ("setting of an attribute", ATTRIBUTES,
         "calls().set_attribute(to.descriptor(), name, value.data(), value.size())"),
        ("rename", DIRECTORY, "calls().renameat(descriptor(), from.c_str(), to.c_str())"),
        ("removal", DIRECTORY, "calls().unlinkat(descriptor(), name.c_str())"),
        ("change of permissions", ATTRIBUTES, "calls().fchmod(file.descriptor(), mode)"),
        ("change of the owner", ATTRIBUTES,
         "calls().fchown(to.descriptor(), from.owner, from.group)"),
        ("question for the size of an attribute", ATTRIBUTES, "call(nullptr, 0)"),
        ("question for an attribute", ATTRIBUTES, "call(into.data(), into.size())"),
        ("removal of an access control list", ATTRIBUTES,
         "calls().remove_attribute(to.descriptor(), access_list)"))
]

# What keeps others out, and what is kept.
GUARDS = [
    Mutation("a Journal takes no lock", JOURNAL,
             "if (status.ok()) status = file.lock();", "", ON_JOURNALS),
    Mutation("a Journal's lock keeps nobody out", CALLS,
             "::flock(descriptor, LOCK_EX | LOCK_NB)", "::flock(descriptor, LOCK_SH | LOCK_NB)",
             ON_JOURNALS),
    Mutation("a Journal keeps its lock after close", FILE,
             "return calls().unlock(descriptor_);", "return 0L;",
             ON_JOURNALS),
    Mutation("a checksum is not compared", RECORDS,
             "if (std::memcmp(head.data(), pending().data(), head.size()) != 0) return {};", "",
             ON_JOURNALS, quick=True),
    Mutation("a checksum does not cover the length", FORMAT,
             "store_number(length, summed.data() + 8);",
             "store_number(std::uint32_t{0}, summed.data() + 8);", ON_JOURNALS),
    Mutation("a checksum does not cover the payload", FORMAT,
             "store_number(payload_checksum, summed.data() + 12);",
             "store_number(std::uint32_t{0}, summed.data() + 12);", ON_JOURNALS),
    Mutation("a checksum does not cover the position", FORMAT,
             "store_number(position, summed.data());",
             "store_number(std::uint64_t{0}, summed.data());", ON_JOURNALS),
    Mutation("a checksum does not cover the file", FORMAT,
             "id_checksum_(crc32c(0, id))", "id_checksum_(0)", ON_JOURNALS),
    Mutation("a mark counts where it was not written", RECORDS,
             "if (position != position_) return {};", "", ON_JOURNALS),
    Mutation("a mark of what is whole is taken for damage", RECORDS,
             "if (mark.durable > from) return mark;", "return mark;", ON_JOURNALS),
    Mutation("a mark across two blocks is not found", RECORDS,
             "kept = std::min(bytes.size(), mark_bytes - 1);", "kept = 0;", ON_JOURNALS),
    Mutation("no mark is left behind a commit", COMMIT,
             "leaves_mark = format_ && is_idle();", "", ON_JOURNALS),
    Mutation("no mark is left behind what was recovered", RECOVERY,
             "const bool lacks_mark = !scanner.is_marked();", "const bool lacks_mark = false;",
             ON_JOURNALS),
    Mutation("a length beyond the limit is believed", RECORDS,
             "if (length > Journal::most_record_bytes) return {};", "", ON_JOURNALS),
    Mutation("zeros in the place of a header are refused", FORMAT,
             "return byte == own || is_zero(byte);", "return byte == own;",
             ON_JOURNALS + ":Crash*"),
    Mutation("a file of another framing is taken for a torn header", FORMAT,
             "if (file.size() > journal_header_bytes) return false;",
             "file = file.first(std::min(file.size(), journal_header_bytes));", ON_JOURNALS),
    Mutation("a damaged header is taken for another file's", FORMAT,
             "was_header(bytes) ? HeaderState::damaged : HeaderState::other;",
             "was_header(bytes) ? HeaderState::other : HeaderState::other;", ON_JOURNALS),
    Mutation("a torn end is not cut off", RECOVERY,
             "if (is_torn && status.ok()) status = file.truncate(recovered.whole_bytes);", "",
             ON_JOURNALS),
    Mutation("a committed record that is damaged is cut off with all that follows", RECOVERY,
             "if (is_torn) status = refuse_damage(file, *format, recovered.whole_bytes);", "",
             ON_JOURNALS, quick=True),
    Mutation("a framed Journal is opened raw", JOURNAL,
             "return may_be_raw ? Status() : other_framing(file.path(), \"raw\");", "return {};",
             ON_JOURNALS),
    Mutation("exclusive does not exclude", FILE,
             "O_WRONLY | O_CREAT | O_EXCL | O_NOCTTY", "O_WRONLY | O_CREAT | O_NOCTTY",
             ON_FAILURES),
    Mutation("append does not append", FILE,
             "O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY", "O_WRONLY | O_CREAT | O_NOCTTY",
             ON_FAILURES + ":FileSink*:*Contract*"),
    Mutation("a temporary file may be somebody else's", DIRECTORY,
             "O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY",
             "O_WRONLY | O_CREAT | O_NOFOLLOW | O_NOCTTY", ON_REPLACING),
    Mutation("a temporary file is open to all", DIRECTORY,
             "open_at(this->descriptor(), name, flags, 0600)",
             "open_at(this->descriptor(), name, flags, 0666)", ON_REPLACING),
    Mutation("a symbolic link in the place of the file is followed", DIRECTORY,
             "O_PATH | O_NOFOLLOW", "O_PATH", ON_REPLACING),
    Mutation("set-id bits are kept", ATTRIBUTES,
             "set_mode(to, from.mode & 01777)", "set_mode(to, from.mode & 07777)", ON_REPLACING),
    Mutation("set-id bits are given to a new file", ATTRIBUTES,
             "set_mode(to, permissions & allowed & 01777)",
             "set_mode(to, permissions & (allowed | 06000) & 07777)", ON_REPLACING),
    Mutation("the umask is not kept to", ATTRIBUTES,
             ": has_none ? ~umask_of_process()", ": has_none ? 0777u", ON_REPLACING),
    Mutation("capabilities are kept", ATTRIBUTES,
             "} else if (!vouches_for_the_bytes(name)) {", "} else {", ON_REPLACING,
             needs_root=True),
    Mutation("the owner is not kept", ATTRIBUTES,
             "  if (Status status = copy_owner(from, to); !status.ok()) return status;\n"
             "  if (Status status = copy_extended",
             "  if (Status status = copy_extended", ON_REPLACING, needs_root=True),
    Mutation("an access control list is set before the other attributes", ATTRIBUTES,
             "if (std::strcmp(name, access_list) == 0) {\n      has_access_list = true;\n"
             "    } else if",
             "if (std::strcmp(name, access_list) == 0) has_access_list = true;\n    if",
             ON_REPLACING, needs_root=True),
    Mutation("a file is opened in the place of a closed standard stream", CALLS,
             "if (descriptor > STDERR_FILENO) return descriptor;", "return descriptor;",
             ON_FAILURES),
    Mutation("a file that may not be replaced any more counts as never opened", TARGET,
             "check_replaceable(Operation::replace, path, now)",
             "check_replaceable(Operation::open, path, now)", ON_REPLACING),
    Mutation("a file with several names is replaced", TARGET,
             "old.kind == Kind::regular && old.links > 1", "false", ON_REPLACING),
    Mutation("the old file is not looked at again", REPLACING,
             "if (Status status = look_again(target_); !status.ok()) return status;", "",
             ON_REPLACING),
    Mutation("a temporary file stays behind", REPLACING,
             "const bool is_there = !renamed_", "const bool is_there = false && !renamed_",
             ON_REPLACING),
    Mutation("a forked child takes the temporary file away", REPLACING,
             "has_temporary_ && fork_generation_ == os::fork_generation()", "has_temporary_",
             ON_REPLACING),
    Mutation("a Writer destroyed open replaces the file", WRITER,
             "if (!sink_->is_staged()) return close(writer);", "return close(writer);",
             ON_REPLACING),
    Mutation("write-back begins over other bytes", WRITE_BACK,
             "begun_to_ = end;", "begun_to_ += every_bytes_;", ON_WRITERS),
    Mutation("cancellation is not held off", CANCELLATION,
             "if (depth_++ == 0) ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_);",
             "++depth_;", "Cancellation.*"),
    Mutation("a round of commits may be cancelled", COMMIT,
             "void GroupCommit::run_round(os::Lock& lock, Sync sync) {\n"
             "  const os::CancellationHeldOff held_off;",
             "void GroupCommit::run_round(os::Lock& lock, Sync sync) {", "Cancellation.*"),
    Mutation("std::bad_alloc goes through", GUARDED,
             "catch (const std::bad_alloc&)", "catch (const int&)", ON_MEMORY, quick=True),
    Mutation("a failure needs memory for its text", STATUS,
             "catch (const std::bad_alloc&)", "catch (const int&)", ON_MEMORY),
    Mutation("a descriptor is left open when there is no memory for its path", FILE,
             "  file.own(descriptor);\n  file.path_ = path;",
             "  file.path_ = path;\n  file.own(descriptor);", ON_MEMORY),
    Mutation("a temporary file is left behind when there is no memory for its path", DIRECTORY,
             "  file.own(static_cast<int>(descriptor));\n  out = std::move(file);",
             "  out = File::adopt(static_cast<int>(descriptor), path());", ON_MEMORY),
    Mutation("a commit takes what is no longer reserved", WRITER,
             "return has_window_ && writer.reserved_at_ != writer.cursor_ ? 0 : "
             "writer.reserved_bytes_;", "return writer.reserved_bytes_;", ON_FAILURES),
    Mutation("a commit takes more than is reserved", WRITER,
             "bytes > reserved) {", "bytes > reserved && false) {", ON_FAILURES),
    Mutation("a reservation outlives what is written line by line", WRITER,
             "  end_reservation(writer);\n  writer.limit_", "  writer.limit_", ON_FAILURES),
]

MUTATIONS = [*SYNCS, *ORDER, *ERRORS, *LATCHING, *WRITE_BEHIND, *INTERRUPTIONS, *GUARDS]
# How threads wait for each other: only some schedules show it.
WAITING = [
    Mutation("a round is told ended after the lock is let go", COMMIT,
             "  if (ends_waiting) ended_[number % 2].store(number);\n"
             "  if (failed) ended_[(number + 1) % 2].store(number + 1);\n"
             "  lock.unlock();\n",
             "  lock.unlock();\n"
             "  if (ends_waiting) ended_[number % 2].store(number);\n"
             "  if (failed) ended_[(number + 1) % 2].store(number + 1);\n",
             ON_INTERLEAVINGS, quick=True),
    Mutation("a round is told ended before its number is stored", COMMIT,
             "  if (ends_waiting) ended_[round % 2].store(round);\n"
             "  if (failed) ended_[(round + 1) % 2].store(round + 1);\n"
             "  lock.unlock();\n"
             "  turn_to_lead_.notify_one();  // first: the disk is idle\n"
             "  may_append_.notify_all();\n"
             "  if (ends_waiting) ended_[round % 2].notify_all();\n",
             "  if (ends_waiting) ended_[round % 2].notify_all();\n"
             "  if (ends_waiting) ended_[round % 2].store(round);\n"
             "  if (failed) ended_[(round + 1) % 2].store(round + 1);\n"
             "  lock.unlock();\n"
             "  turn_to_lead_.notify_one();  // first: the disk is idle\n"
             "  may_append_.notify_all();\n", ON_INTERLEAVINGS),
    Mutation("those who wait for the round after a failed one are not told", COMMIT,
             "  if (failed) ended_[(round + 1) % 2].store(round + 1);\n", "", ON_INTERLEAVINGS),
    Mutation("a commit waits for the round after its own", COMMIT,
             "    wait_for_round(lock, rounds_begun_);\n",
             "    wait_for_round(lock, rounds_begun_ + 1);\n", ON_INTERLEAVINGS),
    Mutation("a leader who was woken begins without looking", COMMIT,
             "turn_to_lead_.wait(lock, [this] { return !round_in_progress_; });",
             "if (round_in_progress_) turn_to_lead_.wait(lock);", ON_INTERLEAVINGS),
    Mutation("a round has two leaders", COMMIT,
             "    if (!has_next_leader_) {\n", "    if (!has_next_leader_ || is_full()) {\n",
             ON_INTERLEAVINGS),
    Mutation("the next leader is not woken", COMMIT,
             "  turn_to_lead_.notify_one();  // first: the disk is idle\n", "", ON_INTERLEAVINGS),
    Mutation("one of the appends that wait for a long one is woken", COMMIT,
             "    append_is_halfway_ = false;\n    may_append_.notify_all();\n",
             "    append_is_halfway_ = false;\n    may_append_.notify_one();\n", ON_INTERLEAVINGS),
    Mutation("what is asked for while the background thread commits is forgotten", COMMIT,
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
    Mutation("finish() tells the background thread without the lock", COMMIT,
             "  {\n"
             "    const os::Lock lock(mutex_);\n"
             "    stopping_ = true;\n"
             "    asked_for_.notify_one();\n"
             "  }\n",
             "  stopping_ = true;\n  asked_for_.notify_one();\n", ON_INTERLEAVINGS),
    Mutation("a round with a sync takes the bytes of others for its own", COMMIT,
             "    durable_.store(syncing_to_.load(std::memory_order_relaxed), "
             "std::memory_order_release);",
             "    durable_.store(appended_.load(std::memory_order_relaxed), "
             "std::memory_order_release);", ON_INTERLEAVINGS),
    Mutation("a block counts as written before it is", IN_FLIGHT,
             "    if (failure_.ok()) {\n      lock.unlock();\n",
             "    --in_flight_;\n    written_.notify_one();\n"
             "    if (failure_.ok()) {\n      lock.unlock();\n", ON_INTERLEAVINGS),
    Mutation("a block is filled while it is written", IN_FLIGHT,
             "return in_flight_ < job_count_;", "return in_flight_ <= job_count_;",
             ON_INTERLEAVINGS),
    Mutation("a block that comes while the last is finished is forgotten", ENGINE,
             "    worker->once_more = true;\n", "", ON_INTERLEAVINGS),
    Mutation("the engine forgets that it was asked while it ran", ENGINE,
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
    Mutation("a Writer goes while the engine still has its blocks", IN_FLIGHT,
             "  Engine::shared().wait_for(*this);  // its thread may not have returned from run() yet\n",
             "", ON_INTERLEAVINGS),
    Mutation("nobody is told that a task has finished", ENGINE,
             "    task_finished_.notify_all();\n", "", ON_INTERLEAVINGS),
    Mutation("stop() wakes one thread alone", ENGINE,
             "    for (Worker& worker : workers_) worker.task_arrived.notify_one();\n",
             "    workers_[0].task_arrived.notify_one();\n", ON_INTERLEAVINGS),
]

MUTATIONS = [*SYNCS, *ORDER, *ERRORS, *LATCHING, *WRITE_BEHIND, *INTERRUPTIONS, *GUARDS, *WAITING]

GROUPS = {
    "Syncs left out": SYNCS,
    "Steps in another order": ORDER,
    "Errors that nobody looks at": ERRORS,
    "Failures that do not stay": LATCHING,
    "Write-behind": WRITE_BEHIND,
    "Signals": INTERRUPTIONS,
    "What keeps others out, and what is kept": GUARDS,
    "Threads that wait for each other": WAITING,
}
