"""Steps that are left out or come in the wrong order."""
from mutation import (
    Mutation, SINK, REPLACING, TARGET, ABANDONED, WRITER, JOURNAL, COMMIT, RECOVERY, FILE,
    ON_MEMORY, ON_WRITERS, ON_REPLACING, ON_JOURNALS, ON_FAILURES,
)

# The order of steps.
ORDER = [
    Mutation("a file is cut before its directory is found", SINK,
             "  return may_be_refused(options) ? os::File::Access::overwrite : "
             "os::File::Access::truncate;", "  return os::File::Access::truncate;",
             ON_WRITERS),
    Mutation("a file is cut before there is memory for its Writer", "src/core/writer.cc",
             "if (memory == nullptr) return refuse(os::no_memory(path));\n"
             "  std::unique_ptr<Sink> sink;\n"
             "  const Status status = open_file_sink(path, options, sink);",
             "std::unique_ptr<Sink> sink;\n"
             "  const Status status = open_file_sink(path, options, sink);\n"
             "  if (memory == nullptr) return refuse(os::no_memory(path));", ON_MEMORY),
    Mutation("a file that is to be durable is not cut", SINK,
             "return has_old_bytes ? file_.drop_bytes() : Status();",
             "return {};", ON_WRITERS),
    Mutation("the directory is synced before the rename", REPLACING,
             "    if (!renamed_) {\n"
             "      Status status = os::guarded_status(path_, [this] { return put_in_place(); });\n"
             "      if (!status.ok()) return status;\n"
             "    }\n"
             "    return target_.directory.sync_name_of(kept_);",
             "    Status synced = target_.directory.sync_name_of(kept_);\n"
             "    if (!renamed_) {\n"
             "      Status status = os::guarded_status(path_, [this] { return put_in_place(); });\n"
             "      if (!status.ok()) return status;\n"
             "    }\n"
             "    return synced;", ON_REPLACING),
    Mutation("a file is synced after the rename", REPLACING,
             "    if (Status status = file_.sync_with_attributes(); !status.ok()) return status;\n"
             "    if (Status status = write_back_.end(file_); !status.ok()) return status;\n"
             "    if (Status status = file_.duplicate(kept_); !status.ok()) return status;\n"
             "    if (Status status = file_.close(); !status.ok()) return status;\n"
             "    target_.old.file = os::File();  // some file systems of Windows replace no file "
             "that is open\n"
             "    if (Status status = expect_own_file(); !status.ok()) return status;\n"
             "    Status status = target_.directory.rename(temporary_name_, target_.name);",
             "    if (Status status = file_.duplicate(kept_); !status.ok()) return status;\n"
             "    Status status = target_.directory.rename(temporary_name_, target_.name);\n"
             "    if (Status late = file_.sync_with_attributes(); !late.ok()) return late;\n"
             "    if (Status late = file_.close(); !late.ok()) return late;", ON_REPLACING),
    Mutation("a file that another program has put under the temporary name is renamed", REPLACING,
             "if (Status status = expect_own_file(); !status.ok()) return status;", "",
             ON_REPLACING),
    Mutation("a Reader opens a directory", "src/backend/file_source.cc",
             "if (Status status = opened.refuse_directory(); !status.ok()) return status;", "",
             "Reader.*"),
    Mutation("a lock that a signal interrupts fails", FILE,
             "uninterrupted([&] { return calls().lock(descriptor_); })",
             "calls().lock(descriptor_)", "*JournalFailures*"),
    Mutation("a temporary file that is being written counts as abandoned", ABANDONED,
             "if (!file.lock().ok()) return {};", "static_cast<void>(file.lock());",
             "ReplaceAbandoned.*"),
    Mutation("the lock of a temporary file ends before the rename", REPLACING,
             "if (Status status = file_.duplicate(kept_); !status.ok()) return status;",
             "static_cast<void>(target_.directory.open_file(temporary_name_, kept_));",
             "ReplaceAbandoned.*"),
    Mutation("a temporary file is written after it was removed before its lock", REPLACING,
             "if (status.ok()) status = keep_from_removal();",
             "if (status.ok()) static_cast<void>(keep_from_removal());", "ReplaceAbandoned.*"),
    Mutation("every name that begins with .sluice- counts as the name of a temporary file",
             "src/backend/temporary_name.h",
             "return name.size() == os::random_name_letters &&", "return true ||",
             "ReplaceAbandoned.*"),
    Mutation("a write of 0 bytes is accepted after a failure", WRITER,
             "if (data.empty()) return is_usable(writer);", "if (data.empty()) return true;",
             ON_FAILURES),
    Mutation("a file that chattr protects is refused at close only", TARGET,
             "return status.ok() ? refuse_fixed(path, target) : status;", "return status;",
             "ReplaceFixed.*"),
    Mutation("a file of another process is removed", REPLACING,
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
    Mutation("a mark names bytes as durable that no sync has covered", COMMIT,
             "format_->mark(round.begin + before, committed_end_);",
             "format_->mark(round.begin + before, round.begin + before);",
             ON_JOURNALS + ":Crash*"),
    Mutation("a mark names a position within a record", COMMIT,
             "committed_end_ = round.record_end;", "committed_end_ = round.end;", ON_JOURNALS),
    Mutation("a mark is written within a record", COMMIT,
             "leaves_mark = format_ && is_idle();",
             "leaves_mark = format_ && appended_ == round.end;", ON_JOURNALS),
    Mutation("a torn end is cut off before it is copied", RECOVERY,
             "  if (is_torn && status.ok()) status = keep_torn(file, recovered);\n"
             "  if (is_torn && status.ok()) status = file.truncate(recovered.whole_bytes);\n",
             "  if (is_torn && status.ok()) status = file.truncate(recovered.whole_bytes);\n"
             "  if (is_torn && status.ok()) status = keep_torn(file, recovered);\n", ON_JOURNALS),
    Mutation("a Journal locks a file that has lost its name", JOURNAL,
             "if (status.ok()) status = file.has_its_name(has_its_name);", "has_its_name = true;",
             ON_JOURNALS),
]
