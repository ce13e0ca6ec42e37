// The calls that out_of_memory_test.cc does not make: seeks, other targets, mistakes of the
// program, and calls of objects that are not open. No call throws, whichever allocation fails.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sluice/bytes.h"
#include "sluice/files.h"
#include "sluice/journal.h"
#include "sluice/reader.h"
#include "sluice/writer.h"
#include "testing/memory_sweep.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

const std::string long_name = "a name that fits into no small string of any standard library";

// ---- writing ----

// Patches bytes in, after and before the block, seeks, and writes on.
void write_elsewhere(Attempt& attempt, Writer& writer) {
  const std::string text = text_of(40'000);
  attempt.memory.in([&] { writer.write(text); });
  for (const std::uint64_t position :
       {std::uint64_t{39'999}, std::uint64_t{50'000}, std::uint64_t{10}, std::uint64_t{1} << 63}) {
    attempt.succeeds([&] { return writer.write_at(position, text); }, {EBADF, EFBIG, ESPIPE});
  }
  attempt.succeeds([&] { return writer.seek(100'000); }, {EBADF, ESPIPE});
  attempt.memory.in([&] {
    writer.write_value(1.5);
    static_cast<void>(writer.position());
  });
  attempt.succeeds([&] { return writer.flush(FlushTo::storage); }, {EBADF, ENOTSUP});
  attempt.succeeds([&] { return writer.discard(); }, {EBADF, EINVAL});
  attempt.succeeds([&] { return writer.close(); }, {EBADF, ECANCELED});
  attempt.succeeds([&] { return writer.close(); }, {EBADF, ECANCELED});
  attempt.succeeds([&] { return writer.seek(0); }, {EBADF, ECANCELED});
  attempt.succeeds([&] { return writer.write_at(0, text); }, {EBADF, ECANCELED});
  attempt.succeeds([&] { return writer.discard(); }, {EBADF, ECANCELED});
  attempt.succeeds([&] { return writer.flush(); }, {EBADF, ECANCELED});
}

TEST(OutOfMemory, WhileAWriterSeeks) {
  for (const CreateMode create : {CreateMode::truncate, CreateMode::append, CreateMode::exclusive,
                                  CreateMode::replace_atomically, CreateMode::existing}) {
    sweep([create](Attempt& attempt) {
      if (create == CreateMode::existing) make_file(attempt.path, "old");
      std::optional<Writer> writer(std::in_place);
      attempt.succeeds([&] {
        return writer->open(attempt.path, {.create = create, .write_back_bytes = 4'096});
      });
      write_elsewhere(attempt, *writer);
      attempt.memory.in([&] { writer.reset(); });
    });
  }
}

template <typename Memory>
void sweep_memory_target() {
  sweep([](Attempt& attempt) {
    Memory target;
    std::optional<Writer> writer(std::in_place);
    attempt.succeeds([&] { return writer->open(make_memory_sink(target)); });
    write_elsewhere(attempt, *writer);
    attempt.memory.in([&] { writer.reset(); });
  });
}

TEST(OutOfMemory, WhileAnyMemoryIsWritten) {
  sweep_memory_target<std::string>();
  sweep_memory_target<std::vector<std::byte>>();
  sweep_memory_target<Bytes>();
}

// Each write is made durable, in a file and in memory. Memory cannot be made durable.
TEST(OutOfMemory, WhileEachWriteIsMadeDurable) {
  const WriterOptions options{.durability = Durability::every_write};
  sweep([&](Attempt& attempt) {
    std::optional<Writer> writer(std::in_place);
    attempt.succeeds([&] { return writer->open(attempt.path, options); });
    write_elsewhere(attempt, *writer);
    attempt.memory.in([&] { writer.reset(); });
  });
}

TEST(OutOfMemory, WhileAWriterIsOpenedTwiceOrInVain) {
  sweep([](Attempt& attempt) {
    std::string target;
    std::optional<Writer> writer(std::in_place);
    attempt.succeeds([&] { return writer->write_at(0, "text"); }, {EBADF});
    attempt.succeeds([&] { return writer->close(); }, {EBADF});
    const std::string with_nul = attempt.path + '\0' + "x";
    EXPECT_FALSE(attempt.memory.in([&] { return writer->open(std::unique_ptr<Sink>()); }).ok());
    attempt.succeeds([&] { return writer->attach(-1, long_name); }, {EBADF});
    attempt.succeeds([&] { return writer->open(with_nul); }, {EINVAL});
    attempt.succeeds([&] { return writer->open(make_memory_sink(target)); });
    attempt.succeeds([&] { return writer->open(attempt.path); }, {EBUSY});
    attempt.succeeds([&] { return writer->attach(1, long_name); }, {EBUSY});
    attempt.succeeds([&] { return writer->open(make_memory_sink(target)); }, {EBUSY});
    attempt.memory.in([&] { writer.reset(); });
  });
}

TEST(OutOfMemory, WhileANumberIsWrittenThatNoWriterTakes) {
  const ScratchDirectory directory;
  Writer writer;
  EXPECT_FALSE(writer.open(directory.file("missing/file")).ok());
  ScarceMemory memory(1, ScarceMemory::Lasting::for_ever);
  EXPECT_FALSE(
      memory.in([&] { return writer.write_number(1.0, std::chars_format::fixed, 100'000); }));
  EXPECT_TRUE(memory.ran_out());
  EXPECT_EQ(writer.status().code().value(), ENOENT);
}

// ---- reading ----

void read_elsewhere(Attempt& attempt, Reader& reader) {
  std::uint64_t bytes = 0;
  std::string_view part;
  std::string text;
  Bytes rest;
  attempt.succeeds([&] { return reader.size(bytes); }, {EBADF, ESPIPE});
  attempt.memory.in([&] {
    static_cast<void>(reader.peek(70'000));
    static_cast<void>(reader.skip(3));
    static_cast<void>(reader.read_until(' ', part));
    static_cast<void>(reader.skip(300'000));
    static_cast<void>(reader.position());
    double value = 0;
    static_cast<void>(reader.read_value(value));
  });
  const std::set<int> may_fail = {EBADF, ESPIPE, EBADMSG};
  attempt.succeeds([&] { return reader.seek(20); }, may_fail);
  attempt.succeeds([&] { return reader.read_rest(text); }, may_fail);
  attempt.succeeds([&] { return reader.seek(10); }, may_fail);
  attempt.succeeds([&] { return reader.read_rest(rest); }, may_fail);
  attempt.succeeds([&] { return reader.close(); }, may_fail);
  attempt.succeeds([&] { return reader.close(); }, may_fail);
  attempt.succeeds([&] { return reader.seek(0); }, may_fail);
  attempt.succeeds([&] { return reader.size(bytes); }, may_fail);
  attempt.succeeds([&] { return reader.read_rest(text); }, may_fail);
}

TEST(OutOfMemory, WhileAReaderSeeks) {
  const std::string text = text_of(700'000);
  sweep([&](Attempt& attempt) {
    make_file(attempt.path, text);
    std::optional<Reader> reader(std::in_place);
    attempt.succeeds([&] { return reader->open(attempt.path); });
    read_elsewhere(attempt, *reader);
    attempt.memory.in([&] { reader.reset(); });
  });
  sweep([&](Attempt& attempt) {
    std::optional<Reader> reader(std::in_place);
    const BytesView bytes = std::as_bytes(std::span(text));
    attempt.succeeds([&] { return reader->open(make_memory_source(bytes)); });
    read_elsewhere(attempt, *reader);
    attempt.memory.in([&] { reader.reset(); });
  });
}

TEST(OutOfMemory, WhileAReaderIsOpenedTwiceOrInVain) {
  sweep([](Attempt& attempt) {
    std::optional<Reader> reader(std::in_place);
    std::string text;
    attempt.succeeds([&] { return reader->read_rest(text); }, {EBADF});
    attempt.succeeds([&] { return reader->close(); }, {EBADF});
    EXPECT_FALSE(attempt.memory.in([&] { return reader->open(std::unique_ptr<Source>()); }).ok());
    attempt.succeeds([&] { return reader->attach(-1, long_name); }, {EBADF});
    const std::string missing = "/no/such/folder/of/a/long/name";
    attempt.succeeds([&] { return reader->open(missing); }, {ENOENT});
    attempt.succeeds([&] { return reader->open(attempt.directory.path()); }, {EISDIR});
    attempt.succeeds([&] { return reader->open(make_memory_source({})); });
    attempt.succeeds([&] { return reader->open(attempt.path); }, {EBUSY, ENOENT});
    attempt.succeeds([&] { return reader->attach(0, long_name); }, {EBUSY});
    attempt.succeeds([&] { return reader->open(make_memory_source({})); }, {EBUSY});
    attempt.memory.in([&] { reader.reset(); });
  });
}

// ---- whole files ----

TEST(OutOfMemory, WhileWholeFilesAreRefused) {
  sweep([](Attempt& attempt) {
    std::string text;
    Bytes bytes;
    MappedFile mapped;
    std::uint64_t size = 0;
    std::size_t got = 0;
    std::byte room[4];
    for (const std::string& path :
         {attempt.path, attempt.path + '\0' + "x", std::string("/proc/version")}) {
      const std::set<int> may_fail = {ENOENT, EINVAL, ENODEV, EFBIG, EACCES};
      attempt.succeeds([&] { return read_file(path, text); }, may_fail);
      attempt.succeeds([&] { return read_file(path, bytes); }, may_fail);
      attempt.succeeds([&] { return read_into(path, room, got); }, may_fail);
      attempt.succeeds([&] { return map_file(path, mapped); }, may_fail);
      attempt.succeeds([&] { return file_size(path, size); }, may_fail);
    }
    attempt.succeeds([&] { return file_size(0, size); }, {ESPIPE});
    attempt.succeeds([&] { return file_size(-1, size); }, {EBADF});
  });
}

TEST(OutOfMemory, WhileAbandonedReplacementsAreRemoved) {
  sweep([](Attempt& attempt) {
    make_file(attempt.directory.file(".sluice-0123456789abcdef0123"), "abandoned");
    std::uint64_t removed = 0;
    attempt.succeeds(
        [&] { return remove_abandoned_replacements(attempt.directory.path(), removed); });
    attempt.succeeds([&] { return remove_abandoned_replacements(attempt.path, removed); },
                     {ENOENT});
  });
}

// ---- Journals ----

TEST(OutOfMemory, WhileAJournalRefusesACall) {
  sweep([](Attempt& attempt) {
    std::optional<Journal> journal(std::in_place);
    Journal::Ticket ticket = 0;
    const std::string too_long(Journal::max_record_bytes + 1, 'x');
    const auto is_refused = [&](std::set<int> codes) {
      EXPECT_FALSE(attempt.succeeds([&] { return journal->append(too_long, ticket); }, codes));
      EXPECT_FALSE(attempt.succeeds([&] { return journal->commit(1'000'000); }, codes));
    };
    is_refused({EBADF});
    attempt.succeeds([&] { return journal->durable_up_to(ticket); }, {EBADF});
    attempt.succeeds([&] { return journal->status(); }, {EBADF});
    attempt.succeeds([&] { return journal->close(); }, {EBADF});
    attempt.succeeds([&] { return journal->open(attempt.directory.path()); }, {EISDIR, EINVAL});
    if (attempt.succeeds([&] { return journal->open(attempt.path); })) {
      is_refused({EMSGSIZE, EINVAL});
      attempt.succeeds([&] { return journal->open(attempt.path); }, {EBUSY});
      Journal other;
      attempt.succeeds([&] { return other.open(attempt.path); }, {EBUSY});
      attempt.succeeds([&] { return journal->close(); });
      is_refused({EBADF});
    }
    attempt.memory.in([&] { journal.reset(); });
  });
}

TEST(OutOfMemory, WhileAJournalReaderRefusesACall) {
  sweep([](Attempt& attempt) {
    make_file(attempt.path, "no Journal, and longer than the header of one could ever be");
    std::optional<JournalReader> reader(std::in_place);
    BytesView record;
    EXPECT_FALSE(attempt.memory.in([&] { return reader->next(record); }));
    for (const std::string& path : {attempt.path, attempt.directory.path(), long_name}) {
      EXPECT_FALSE(
          attempt.succeeds([&] { return reader->open(path); }, {EINVAL, EISDIR, ENOENT, EBADMSG}));
      EXPECT_FALSE(attempt.memory.in([&] { return reader->next(record); }));
    }
    attempt.memory.in([&] { reader.reset(); });
  });
}

}  // namespace
}  // namespace sluice::testing
