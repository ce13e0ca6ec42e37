// Descriptors that a Writer refuses, because they cannot be written to or have unknown positions.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "sluice/writer.h"
#include "testing/faulty_system_calls.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

TEST(RefusedTarget, IsADescriptorThatIsNotOpenForWriting) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  make_file(path, "bytes");
  for (const int flags : {O_RDONLY, O_PATH, -1}) {
    const int descriptor = flags < 0 ? -1 : ::open(path.c_str(), flags | O_CLOEXEC);
    Writer writer;
    const Status status = writer.attach(descriptor, "file");
    EXPECT_EQ(status.operation(), Operation::open) << status.message();
    EXPECT_EQ(status.code().value(), EBADF) << status.message();
    EXPECT_FALSE(writer.is_open());
    EXPECT_EQ(writer.close().code().value(), EBADF);
    if (descriptor >= 0) ::close(descriptor);
  }
  const int both = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  Writer writer;
  EXPECT_TRUE(writer.attach(both, "file").ok());
  EXPECT_EQ(writer.attach(both, "file").code().value(), EBUSY);
  EXPECT_TRUE(writer.close().ok());
  ::close(both);
}

TEST(RefusedTarget, IsADescriptorWithWrongOffsets) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  make_file(path, "bytes");
  for (const auto& [flags, call] :
       {std::pair(0, Call::seek_current), {O_APPEND, Call::fstat}, {0, Call::status_flags}}) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags);
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    calls.fail(call, 1, EIO);
    Writer writer;
    EXPECT_EQ(writer.attach(descriptor, "file").code().value(), EIO) << calls.log();
    EXPECT_FALSE(writer.is_open());
    ::close(descriptor);
  }
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  calls.fail(Call::seek_end, 1, EIO);
  Writer writer;
  const Status status = writer.open(path, {.create = CreateMode::append});
  EXPECT_EQ(status.message(), "open " + path + ": Input/output error");
  EXPECT_EQ(contents_of(path), "bytes");
}

}  // namespace
}  // namespace sluice::testing
