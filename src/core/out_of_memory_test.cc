// Every allocation of a scenario fails in turn, once and for ever. The result must be a success
// with the right bytes, or a Status. No descriptor stays open and no file stays behind.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sluice/bytes.h"
#include "sluice/copy.h"
#include "sluice/files.h"
#include "sluice/journal.h"
#include "sluice/lost_error.h"
#include "sluice/reader.h"
#include "sluice/sinks.h"
#include "sluice/writer.h"
#include "testing/memory_sweep.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

// ---- writing ----

// Puts bytes, builds bytes in place, and writes more bytes than the block holds. The block takes
// every size meanwhile.
void write_all(Attempt& attempt, Writer& writer, std::string_view text) {
  attempt.memory.in([&] {
    std::size_t done = 0;
    for (; done < 20'000; ++done) writer.put(text[done]);
    const MutableBytesView room = writer.reserve(30'000);
    if (room.size() == 30'000) {
      std::memcpy(room.data(), text.data() + done, room.size());
      writer.commit(room.size());
    }
    done += 30'000;
    while (done < text.size()) {
      const std::size_t bytes =
          std::min<std::size_t>(done % 7 == 0 ? 70'000 : 4'000, text.size() - done);
      writer.write(text.substr(done, bytes));
      done += bytes;
    }
  });
}

void write_and_close(Attempt& attempt, const WriterOptions& options) {
  static const std::string text = text_of(700'000);
  std::optional<Writer> writer(std::in_place);
  const bool opened = attempt.succeeds([&] { return writer->open(attempt.path, options); });
  EXPECT_EQ(writer->status().ok(), opened);
  write_all(attempt, *writer, text);
  const bool flushed = attempt.succeeds([&] { return writer->flush(FlushTo::storage); }, {EBADF});
  const bool closed = attempt.succeeds([&] { return writer->close(); }, {EBADF});
  EXPECT_TRUE(!closed || flushed);
  EXPECT_EQ(closed, writer->close().ok());
  const Status status = writer->status();
  EXPECT_EQ(status.ok(), closed);
  attempt.memory.in([&] { writer.reset(); });
  if (closed) {
    EXPECT_TRUE(contents_of(attempt.path) == text);
  } else if (opened && options.create != CreateMode::replace_atomically) {
    // A failure without an offset comes from the last flush.
    const std::uint64_t there = status.offset().value_or(text.size());
    EXPECT_TRUE(contents_of(attempt.path) == text.substr(0, there)) << status.message();
  }
}

TEST(OutOfMemory, CutsNoFileThatItDoesNotOpen) {
  for (const Durability durability : {Durability::none, Durability::on_close}) {
    sweep([durability](Attempt& attempt) {
      make_file(attempt.path, "old");
      Writer writer;
      const bool opened =
          attempt.succeeds([&] { return writer.open(attempt.path, {.durability = durability}); });
      EXPECT_EQ(contents_of(attempt.path), opened ? "" : "old");
      if (opened) attempt.memory.in([&] { static_cast<void>(writer.close()); });
    });
  }
}

TEST(OutOfMemory, WhileAFileIsWritten) {
  sweep([](Attempt& attempt) { write_and_close(attempt, {}); });
}

TEST(OutOfMemory, WhileAFileIsWrittenBehind) {
  sweep([](Attempt& attempt) {
    write_and_close(attempt, {.write_behind = WriteBehind::on, .block_bytes = 65'536});
  });
}

TEST(OutOfMemory, WhileAFileIsMadeDurable) {
  sweep([](Attempt& attempt) { write_and_close(attempt, {.durability = Durability::on_close}); });
  sweep([](Attempt& attempt) {
    write_and_close(attempt, {.create = CreateMode::append, .durability = Durability::every_flush});
  });
}

TEST(OutOfMemory, WhileAFileIsReplaced) {
  const WriterOptions options{.create = CreateMode::replace_atomically};
  sweep([&](Attempt& attempt) { write_and_close(attempt, options); });
  sweep([&](Attempt& attempt) {
    make_file(attempt.path, "old");
    EXPECT_EQ(
        ::setxattr(attempt.path.c_str(), "user.sluice_test", "value", 5, 0) < 0 && errno != ENOTSUP,
        false);
    write_and_close(attempt, options);
    EXPECT_TRUE(contents_of(attempt.path) == "old" || contents_of(attempt.path).size() >= 700'000);
  });
}

TEST(OutOfMemory, WhileAFileIsCopied) {
  ScratchDirectory other;
  const std::string from = other.file("a file whose name is too long for a small string as well");
  make_file(from, text_of(700'000));
  for (const CreateMode create : {CreateMode::truncate, CreateMode::replace_atomically}) {
    sweep([&](Attempt& attempt) {
      make_file(attempt.path, "old");
      const bool copied =
          attempt.succeeds([&] { return copy_file(from, attempt.path, {.create = create}); });
      if (copied) {
        EXPECT_TRUE(contents_of(attempt.path) == text_of(700'000));
      } else if (create == CreateMode::replace_atomically) {
        EXPECT_EQ(contents_of(attempt.path), "old");
      }
    });
  }
}

TEST(OutOfMemory, WhileALimitedTeeIsWritten) {
  sweep([](Attempt& attempt) {
    std::string first;
    std::string second;
    Writer writer;
    attempt.succeeds([&] {
      const Status status = writer.open(make_tee_sink(
          make_limiting_sink(make_memory_sink(first), 50'000), make_memory_sink(second)));
      return status;
    });
    const std::string text = text_of(30'000);
    for (int i = 0; i < 2; ++i) attempt.memory.in([&] { writer.write(text); });
    attempt.succeeds([&] { return writer.close(); }, {EBADF, EFBIG});
    EXPECT_TRUE(first.starts_with(second) || second.starts_with(first));
    EXPECT_LE(first.size(), 50'000u);
  });
}

TEST(OutOfMemory, WhileAReplacementIsDiscarded) {
  sweep([](Attempt& attempt) {
    make_file(attempt.path, "old");
    std::optional<Writer> writer(std::in_place);
    const WriterOptions options{.create = CreateMode::replace_atomically};
    if (attempt.succeeds([&] { return writer->open(attempt.path, options); })) {
      write_all(attempt, *writer, text_of(100'000));
      attempt.succeeds([&] { return writer->discard(); });
    }
    attempt.memory.in([&] { writer.reset(); });
    EXPECT_EQ(contents_of(attempt.path), "old");
  });
}

std::atomic<int> lost_errors{0};

TEST(OutOfMemory, WhileAWriterIsMovedAndDestroyedOpen) {
  set_lost_error_handler([](const Status&, void*) { ++lost_errors; });
  sweep([](Attempt& attempt) {
    static const std::string text = text_of(100'000);
    lost_errors = 0;
    std::optional<Writer> writer(std::in_place);
    std::optional<Writer> other(std::in_place);
    const bool opened = attempt.succeeds([&] { return writer->open(attempt.path); });
    attempt.memory.in([&] { *other = std::move(*writer); });
    write_all(attempt, *other, text);
    attempt.memory.in([&] { other.reset(); });
    if (opened && lost_errors == 0) {
      EXPECT_TRUE(contents_of(attempt.path) == text);
    }
  });
  set_lost_error_handler(nullptr);
}

TEST(OutOfMemory, WhileALostErrorIsPrinted) {
  sweep([](Attempt& attempt) {
    std::optional<Writer> writer(std::in_place);
    const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    std::string name = "a name that fits into no small string";
    attempt.succeeds([&] { return writer->attach(full, name); });
    attempt.memory.in([&] { writer->put('x'); });
    ::testing::internal::CaptureStderr();
    const bool was_open = writer->is_open() && writer->status().ok();
    attempt.memory.in([&] { writer.reset(); });
    const std::string line = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(was_open, line.starts_with("sluice: lost error: write ") && line.ends_with("\n"))
        << line;
    ::close(full);
  });
}

TEST(OutOfMemory, WhileADescriptorIsWritten) {
  sweep([](Attempt& attempt) {
    const std::string text = text_of(100'000);
    const int descriptor = ::open(attempt.path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    std::optional<Writer> writer(std::in_place);
    std::string name = "a name that fits into no small string";
    attempt.succeeds([&] { return writer->attach(descriptor, name); });
    write_all(attempt, *writer, text);
    if (attempt.succeeds([&] { return writer->close(); }, {EBADF})) {
      EXPECT_TRUE(contents_of(attempt.path) == text);
    }
    attempt.memory.in([&] { writer.reset(); });
    ::close(descriptor);
  });
}

TEST(OutOfMemory, WhileMemoryIsWritten) {
  sweep([](Attempt& attempt) {
    const std::string text = text_of(100'000);
    std::string target;
    std::optional<Writer> writer(std::in_place);
    attempt.succeeds([&] { return writer->open(make_memory_sink(target)); });
    write_all(attempt, *writer, text);
    const bool closed = attempt.succeeds([&] { return writer->close(); }, {EBADF});
    EXPECT_TRUE(target == (closed ? text : text.substr(0, target.size())));
    attempt.memory.in([&] { writer.reset(); });
  });
}

// ---- reading ----

TEST(OutOfMemory, WhileLinesAreRead) {
  sweep([](Attempt& attempt) {
    const std::string text = text_of(300'000) + std::string(400'000, 'x') + "\nend";
    make_file(attempt.path, text);
    std::string read;
    read.reserve(text.size() + 1);
    std::optional<Reader> reader(std::in_place);
    attempt.succeeds([&] { return reader->open(attempt.path, {.block_bytes = 65'536}); });
    attempt.memory.in([&] {
      for (const std::string_view line : reader->lines()) (read += line) += '\n';
    });
    if (attempt.succeeds([&] { return reader->close(); }, {EBADF})) {
      EXPECT_TRUE(read == (text + "\n"));
    }
    attempt.memory.in([&] { reader.reset(); });
  });
}

TEST(OutOfMemory, WhileALineIsTooLong) {
  sweep([](Attempt& attempt) {
    const std::string text(100'000, 'x');
    std::optional<Reader> reader(std::in_place);
    const BytesView bytes = std::as_bytes(std::span(text));
    attempt.succeeds(
        [&] { return reader->open(make_memory_source(bytes), {.max_line_bytes = 50'000}); });
    std::string_view line;
    EXPECT_FALSE(attempt.memory.in([&] { return reader->next_line(line); }));
    EXPECT_FALSE(attempt.succeeds([&] { return reader->close(); }, {EBADF, EMSGSIZE}));
    attempt.memory.in([&] { reader.reset(); });
  });
}

TEST(OutOfMemory, WhileRecordsAreRead) {
  sweep([](Attempt& attempt) {
    make_file(attempt.path, std::string(100'003, 'x'));
    const int descriptor = ::open(attempt.path.c_str(), O_RDONLY | O_CLOEXEC);
    std::optional<Reader> reader(std::in_place);
    std::string name = "a name that fits into no small string";
    attempt.succeeds([&] { return reader->attach(descriptor, name); });
    attempt.memory.in([&] {
      for ([[maybe_unused]] const std::span<const double> some : reader->records<double>()) {
      }
    });
    EXPECT_FALSE(attempt.succeeds([&] { return reader->close(); }, {EBADF, EBADMSG}));
    attempt.memory.in([&] { reader.reset(); });
    ::close(descriptor);
  });
}

TEST(OutOfMemory, WhileBytesAreRead) {
  sweep([](Attempt& attempt) {
    const std::string text = text_of(100'000);
    make_file(attempt.path, text);
    std::string read(text.size() + 1, ' ');
    std::optional<Reader> reader(std::in_place);
    attempt.succeeds([&] { return reader->open(attempt.path); });
    const std::size_t got = attempt.memory.in([&] {
      read[0] = static_cast<char>(reader->get());
      return 1 + reader->read(read.data() + 1, 30'000) + reader->read(read.data() + 30'001, 80'000);
    });
    if (attempt.succeeds([&] { return reader->close(); }, {EBADF})) {
      EXPECT_TRUE(read.substr(0, got) == text);
    }
    attempt.memory.in([&] { reader.reset(); });
  });
}

TEST(OutOfMemory, WhileWholeFilesAreReadAndWritten) {
  for (const std::size_t bytes : {std::size_t{100'000}, std::size_t{6'000'000}}) {
    const std::string text = text_of(bytes);
    sweep([&](Attempt& attempt) {
      if (attempt.succeeds([&] { return write_file(attempt.path, text); })) {
        EXPECT_TRUE(contents_of(attempt.path) == text);
      } else {
        make_file(attempt.path, text);
      }
      std::string read;
      if (attempt.succeeds([&] { return read_file(attempt.path, read); })) {
        EXPECT_TRUE(read == text);
      }
      EXPECT_TRUE(text.starts_with(read));
      Bytes memory;
      if (attempt.succeeds([&] { return read_file(attempt.path, memory); })) {
        EXPECT_TRUE(memory.text() == text);
      }
      std::size_t got = 0;
      read.resize(text.size() - 1);
      const MutableBytesView into = std::as_writable_bytes(std::span(read));
      EXPECT_FALSE(attempt.succeeds([&] { return read_into(attempt.path, into, got); }, {EFBIG}));
      MappedFile mapped;
      if (attempt.succeeds([&] { return map_file(attempt.path, mapped); })) {
        EXPECT_EQ(mapped.bytes().size(), text.size());
      }
      std::uint64_t size = 0;
      EXPECT_TRUE(attempt.succeeds([&] { return file_size(attempt.path, size); }));
    });
  }
}

TEST(OutOfMemory, WhileAMistakeIsNamed) {
  sweep([](Attempt& attempt) {
    Writer writer;
    const std::string missing = attempt.path + "/no/such/folder";
    EXPECT_FALSE(attempt.succeeds(
        [&] { return writer.open(attempt.path, {.blocks_in_flight = 0}); }, {EINVAL}));
    EXPECT_FALSE(attempt.succeeds([&] { return writer.open(missing); }, {ENOENT, ENOTDIR}));
    EXPECT_FALSE(writer.is_open());
    EXPECT_FALSE(writer.status().ok());
  });
}

// ---- Journals ----

constexpr JournalOptions framed{.framing = Framing::length_crc32c, .buffer_bytes = 4'096};

void append_and_commit(Attempt& attempt, const JournalOptions& options) {
  std::optional<Journal> journal(std::in_place);
  const std::string record(1'000, 'r');
  Recovered recovered;
  if (attempt.succeeds([&] { return journal->open(attempt.path, options, &recovered); },
                       {EBADMSG})) {
    Journal::Ticket ticket = 0;
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(attempt.succeeds([&] { return journal->append(record, ticket); }));
    }
    EXPECT_TRUE(attempt.succeeds([&] { return journal->commit(ticket); }));
    EXPECT_TRUE(attempt.succeeds([&] { return journal->append(record, ticket); }));
    EXPECT_TRUE(attempt.succeeds([&] { return journal->durable_up_to(ticket); }));
    EXPECT_TRUE(attempt.succeeds([&] { return journal->close(); }));
  }
  attempt.memory.in([&] { journal.reset(); });
}

void read_journal(Attempt& attempt, std::size_t min_records) {
  std::optional<JournalReader> reader(std::in_place);
  if (attempt.succeeds([&] { return reader->open(attempt.path); }, {ENOENT, EINVAL})) {
    std::size_t records = 0;
    BytesView record;
    while (attempt.memory.in([&] { return reader->next(record); })) ++records;
    EXPECT_TRUE(!reader->status().ok() || records >= min_records);
    EXPECT_TRUE(reader->status().ok() || reader->status().code().value() == ENOMEM);
  }
  attempt.memory.in([&] { reader.reset(); });
}

TEST(OutOfMemory, WhileAJournalIsMadeAndRead) {
  sweep([](Attempt& attempt) {
    append_and_commit(attempt, framed);
    read_journal(attempt, 0);
  });
  sweep([](Attempt& attempt) { append_and_commit(attempt, {.framing = Framing::raw}); });
}

// The whole end is in the Journal, or in a file beside it.
void expect_end_kept(const Attempt& attempt, const std::string& before, const std::string& end) {
  const std::string torn_path = attempt.path + ".torn-" + std::to_string(before.size());
  if (contents_of(attempt.path) == before + end) {
    EXPECT_FALSE(file_exists(torn_path)) << "half a copy is of no use";
  } else {
    EXPECT_TRUE(contents_of(attempt.path).starts_with(before));
    EXPECT_TRUE(contents_of(torn_path) == end);
    std::filesystem::remove(torn_path);
  }
}

TEST(OutOfMemory, WhileAJournalIsRecovered) {
  for (const std::size_t torn_bytes : {500u, 500'000u}) {
    sweep([&](Attempt& attempt) {
      {
        Journal journal;
        ASSERT_TRUE(journal.open(attempt.path, framed).ok());
        Journal::Ticket ticket;
        ASSERT_TRUE(journal.append(std::string(400'000, 'r'), ticket).ok());
        ASSERT_TRUE(journal.close().ok());
      }
      const std::string before = contents_of(attempt.path);
      const std::string end(torn_bytes, 'x');
      make_file(attempt.path, before + end);
      append_and_commit(attempt, framed);
      expect_end_kept(attempt, before, end);
      read_journal(attempt, 1);
    });
  }
}

// The file is refused, even if there is no memory for the refusal.
TEST(OutOfMemory, WhileAJournalIsFoundDamaged) {
  sweep([&](Attempt& attempt) {
    {
      Journal journal;
      ASSERT_TRUE(journal.open(attempt.path, framed).ok());
      Journal::Ticket ticket;
      ASSERT_TRUE(journal.append("record", ticket).ok());
      ASSERT_TRUE(journal.close().ok());
    }
    std::string damaged = contents_of(attempt.path);
    damaged[60] ^= 1;
    make_file(attempt.path, damaged);
    append_and_commit(attempt, framed);
    EXPECT_EQ(contents_of(attempt.path), damaged);
  });
}

}  // namespace
}  // namespace sluice::testing
