// A Writer refuses arrays that are no text, and bytes while it is not open. No refused byte is lost
// silently.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sluice/copy.h"
#include "sluice/files.h"
#include "sluice/journal.h"
#include "sluice/reader.h"
#include "sluice/writer.h"
#include "testing/lost_errors.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

template <typename... T>
concept CanWriteNumber = requires(Writer writer, T... values) {
  writer.write_number(values...);
};

TEST(Writer, WritesNothingAsANumberThatIsNone) {
  static_assert(CanWriteNumber<int> && CanWriteNumber<double> && CanWriteNumber<int, unsigned>);
  static_assert(CanWriteNumber<float, std::chars_format, long>);
  static_assert(!CanWriteNumber<char> && !CanWriteNumber<bool> && !CanWriteNumber<const char*>);
  static_assert(!CanWriteNumber<double, int> && !CanWriteNumber<std::string>);
}

// A call with an array, in a block that still holds a byte.
template <typename Call>
void expect_no_text(Call call, const std::string& reason) {
  std::string target;
  Writer writer;
  ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
  EXPECT_TRUE(writer.put('x'));
  EXPECT_FALSE(call(writer));
  EXPECT_EQ(writer.status().code().value(), EINVAL);
  EXPECT_EQ(writer.close().message(), "write (memory) at byte 1: " + reason);
  EXPECT_EQ(target, "x");
}

TEST(Writer, TakesAConstArrayForTextOnlyIfItEndsWithItsOnlyNul) {
  struct Record {
    char name[4];
  };
  const Record full{{'f', 'u', 'l', 'l'}};
  const char padded[16] = "ab";
  const std::string has_nul = "the text has a NUL byte before its end: pass a std::string_view";
  const std::string no_nul =
      "the array does not end with a NUL byte: pass a std::string_view or a BytesView";
  expect_no_text([](Writer& writer) { return writer.write("a\0b"); }, has_nul);
  expect_no_text([&](Writer& writer) { return writer.write(padded); }, has_nul);
  expect_no_text([&](Writer& writer) { return writer.write(full.name); }, no_nul);
  expect_no_text([](Writer& writer) { return writer.write_at(0, "a\0b").ok(); }, has_nul);
  expect_no_text([&](Writer& writer) { return writer.write_at(0, full.name).ok(); }, no_nul);
  const char* const null = nullptr;
  const std::string is_null = "the text is a null pointer: pass \"\" or a std::string_view";
  expect_no_text([&](Writer& writer) { return writer.write(null); }, is_null);
  expect_no_text([&](Writer& writer) { return writer.write_at(0, null).ok(); }, is_null);
  std::string target;
  Writer writer;
  EXPECT_FALSE(writer.write(padded)) << "it is not open";
  ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
  const char* const pointer = "pointer";
  EXPECT_TRUE(writer.write("text ") && writer.write("") && writer.write(pointer));
  EXPECT_TRUE(writer.write_at(0, "T").ok());
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(target, "Text pointer");
}

template <typename... T>
concept CanWriteTogether = requires(Writer writer, T... values) {
  writer.write(values...);
};

TEST(Writer, PutsOnlyIntegersThatAreBytes) {
  const std::string reason = "put of an integer that is not between 0 and 255";
  for (const int value : {256, -1, 1'000'000, INT_MIN}) {
    expect_no_text([&](Writer& writer) { return writer.put(value); }, reason);
  }
  expect_no_text([](Writer& writer) { return writer.put(UINT64_MAX); }, reason);
  std::string target;
  Writer writer;
  ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
  for (const int value : {0, 255}) EXPECT_TRUE(writer.put(value));
  EXPECT_TRUE(writer.put(65ul));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(target, std::string("\0\xff"
                                "A",
                                3));
}

TEST(Writer, WritesNoMoreOfAnArrayThanItHas) {
  const std::string reason = "write of more bytes than the array has";
  char array[4] = {'a', 'b', 'c', 'd'};
  expect_no_text([](Writer& writer) { return writer.write("abc", 5); }, reason);
  expect_no_text([](Writer& writer) { return writer.write("abc", -1); }, reason);
  expect_no_text([&](Writer& writer) { return writer.write(array, std::size_t{5}); }, reason);
  std::string target;
  Writer writer;
  ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
  EXPECT_TRUE(writer.write(array, 4));
  EXPECT_TRUE(writer.write("abc", 2));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(target, "abcdab");
}

TEST(Writer, WritesOneArgumentOrAnAddressAndASize) {
  static_assert(CanWriteTogether<const void*, std::size_t> && CanWriteTogether<int*, int>);
  static_assert(CanWriteTogether<const char*, std::size_t> && CanWriteTogether<char[4], int>);
  static_assert(!CanWriteTogether<const char*, int, const char*>);
  static_assert(!CanWriteTogether<std::string, int> && !CanWriteTogether<int, std::size_t>);
  static_assert(!CanWriteTogether<const char*, const char*>);
}

using Messages = std::vector<std::string>;

// The Writer reports the refused bytes even if it cannot be opened anew.
TEST(Writer, TellsOnceOfRefusedBytesWhenItIsOpenedAnew) {
  LostErrors lost;
  const ScratchDirectory directory;
  const int descriptor =
      ::open(directory.file("next").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  std::string other;
  const auto expect_told = [&](bool opens, auto open_anew) {
    std::string target;
    Writer writer;
    ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
    EXPECT_TRUE(writer.close().ok());
    EXPECT_FALSE(writer.write("b"));
    EXPECT_EQ(open_anew(writer).ok(), opens);
    EXPECT_EQ(lost.take_messages(), Messages({"write (memory) at byte 0: the Writer is closed"}));
    EXPECT_EQ(writer.close().ok(), opens);
    EXPECT_EQ(lost.take_messages(), Messages());
  };
  expect_told(true, [&](Writer& w) { return w.open(directory.file("file")); });
  expect_told(false, [&](Writer& w) { return w.open(directory.file("missing/file")); });
  expect_told(true, [&](Writer& w) { return w.open(make_memory_sink(other)); });
  expect_told(false, [](Writer& w) { return w.open(std::unique_ptr<Sink>()); });
  expect_told(true, [&](Writer& w) { return w.attach(descriptor, "next"); });
  expect_told(false, [](Writer& w) { return w.attach(-1, "nothing"); });
  ::close(descriptor);
}

TEST(Writer, TellsOfBytesThatItRefusedAfterItsEnd) {
  LostErrors lost;
  const ScratchDirectory directory;
  std::string target;
  const Messages closed = {"write (memory) at byte 1: the Writer is closed"};
  for (const bool opens_anew : {false, true}) {
    std::optional<Writer> writer(std::in_place);
    ASSERT_TRUE(writer->open(make_memory_sink(target)).ok());
    EXPECT_TRUE(writer->write("a") && writer->close().ok());
    EXPECT_FALSE(writer->write("b"));
    EXPECT_TRUE(writer->close().ok());
    EXPECT_EQ(lost.take_messages(), Messages());
    if (opens_anew) {
      ASSERT_TRUE(writer->open(directory.file("next")).ok());
      EXPECT_EQ(lost.take_messages(), closed);
    }
    writer.reset();
    EXPECT_EQ(lost.take_messages(), opens_anew ? Messages() : closed);
    target.clear();
  }
  {
    Writer writer;
    EXPECT_FALSE(writer.open(directory.file("missing/file")).ok());
    EXPECT_FALSE(writer.write_number(1));
  }
  EXPECT_EQ(lost.take_messages(),
            Messages{"open " + directory.file("missing/file") + ": No such file or directory"});
  { EXPECT_FALSE(Writer().put('x')); }
  EXPECT_EQ(lost.take_messages(), Messages{Writer().status().message()});
  { Writer().commit(8); }
  EXPECT_EQ(lost.take_messages(), Messages{Writer().status().message()});
  { Writer().commit(0); }
  EXPECT_EQ(lost.take_messages(), Messages());
}

TEST(Writer, TellsNothingOfRefusedBytesThatTheProgramKnowsOf) {
  LostErrors lost;
  const auto refuse = [](auto ask) {
    std::string target;
    Writer writer;
    ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
    EXPECT_TRUE(writer.close().ok());
    EXPECT_FALSE(writer.write("b"));
    EXPECT_FALSE(ask(writer).ok());
  };
  refuse([](Writer& writer) { return writer.status(); });
  refuse([](Writer& writer) { return writer.flush(); });
  refuse([](Writer& writer) { return writer.seek(0); });
  refuse([](Writer& writer) { return writer.write_at(0, "b"); });
  {
    Writer writer;
    EXPECT_FALSE(writer.open("").ok());
  }
  {
    Writer writer;
    EXPECT_FALSE(writer.put('x'));
    EXPECT_FALSE(writer.close().ok());
  }
  {
    Writer writer;
    EXPECT_FALSE(writer.write("")) << "these are no bytes";
  }
  EXPECT_EQ(lost.take_messages(), Messages());
}

TEST(Writer, NamesAnEmptyPath) {
  EXPECT_EQ(Writer().open("").message(), "open (an empty path): No such file or directory");
}

TEST(Writer, RefusesTheUriOfAnObjectAndShowsNothingBehindItsScheme) {
  const std::string uri = "s3://KEYID:SECRET@bucket/name?token=SECRET";
  const std::string message =
      "open s3://...: this is a URI, and not a file: for an object, use open_object "
      "(sluice/object.h)";
  Writer writer;
  for (const WriterOptions options :
       {WriterOptions{}, WriterOptions{.create = CreateMode::replace_atomically},
        WriterOptions{.block_bytes = 0}}) {
    const Status status = writer.open(uri, options);
    EXPECT_EQ(status.message(), message);
    EXPECT_EQ(status.code().value(), ENOENT);
  }
  std::string bytes;
  EXPECT_EQ(Reader().open(uri, {.block_bytes = 0}).message(), message);
  EXPECT_EQ(read_file(uri, bytes).message(), message);
  EXPECT_EQ(write_file(uri, "").message(), message);
  EXPECT_EQ(Journal().open(uri).message(), message);
  EXPECT_EQ(copy_file(uri, uri).message(), message);
  std::uint64_t number = 0;
  EXPECT_EQ(remove_abandoned_replacements(uri, number).message(), message);
  EXPECT_EQ(file_size(uri, number).message(), "stat" + message.substr(message.find(' ')));
}

TEST(Writer, TakesAPathThatLooksLikeAUriIfItsFolderExists) {
  const ScratchDirectory directory;
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(directory.path());
  std::filesystem::create_directories("s3:/bucket");
  EXPECT_TRUE(write_file("s3://bucket/name", "text").ok());
  std::filesystem::current_path(before);
  EXPECT_EQ(contents_of(directory.file("s3:/bucket/name")), "text");
}

}  // namespace
}  // namespace sluice::testing
