#include "sluice/result.h"

#include <cerrno>
#include <cstdlib>

#include "os/guarded.h"
#include "os/process.h"

namespace sluice {
namespace {

// Returns the value that `call` has set if `call` returned ok, and otherwise its failure.
template <typename T, typename Call>
Result<T> result_of(Call call) {
  T value{};
  Status status = call(value);
  if (status.ok()) return value;
  return status;
}

}  // namespace

StatusError::StatusError(const Status& status)
    : std::system_error(status.code(), status.without_code()), status_(status) {}

StatusError::~StatusError() = default;

namespace result_details {

void throw_error(const Status& status) { throw StatusError(status); }

void end_program(const Status& status) noexcept {
  constexpr std::string_view what = "sluice: Result::value() of a failure: ";
  os::guarded(
      [&] {
        os::print_line_to_standard_error({what, status.message()});
      },
      [&] {
        os::print_line_to_standard_error({what, status.path()});
      });
  std::abort();
}

Status expect_failure(Status status) noexcept {
  if (!status.ok()) return status;
  return Status::failure(Operation::open, "(nothing)", EINVAL, std::nullopt,
                         "a Result was made from an ok Status, which has no value");
}

}  // namespace result_details

Result<Bytes> read_bytes(const std::string& path) {
  return result_of<Bytes>([&](Bytes& bytes) { return read_file(path, bytes); });
}

Result<std::string> read_text(const std::string& path) {
  return result_of<std::string>([&](std::string& text) { return read_file(path, text); });
}

Result<std::size_t> read_bytes_into(const std::string& path, MutableBytesView into) {
  return result_of<std::size_t>([&](std::size_t& got) { return read_into(path, into, got); });
}

Result<std::uint64_t> size_of_file(const std::string& path) {
  return result_of<std::uint64_t>([&](std::uint64_t& bytes) { return file_size(path, bytes); });
}

Result<std::uint64_t> size_of_file(int descriptor) {
  return result_of<std::uint64_t>(
      [&](std::uint64_t& bytes) { return file_size(descriptor, bytes); });
}

Result<MappedFile> mapped_file(const std::string& path) {
  return result_of<MappedFile>([&](MappedFile& file) { return map_file(path, file); });
}

Result<std::uint64_t> copy_bytes(Reader& from, Writer& to, std::uint64_t bytes) {
  return result_of<std::uint64_t>(
      [&](std::uint64_t& copied) { return copy(from, to, bytes, copied); });
}

Result<Reader> open_reader(const std::string& path, const ReaderOptions& options) {
  return result_of<Reader>([&](Reader& reader) { return reader.open(path, options); });
}

Result<Writer> open_writer(const std::string& path, const WriterOptions& options) {
  return result_of<Writer>([&](Writer& writer) { return writer.open(path, options); });
}

}  // namespace sluice
