#include "cat/command.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <optional>
#include <stdexcept>

#include "command_line/command_error.h"
#include "command_line/output.h"
#include "sluice/codecs.h"
#include "sluice/reader.h"
#include "sluice/standard_streams.h"
#include "sluice/writer.h"

namespace sluice::cat {
namespace {

constexpr std::string_view standard_input_name = "-";

// Bytes that are written to the file that is read would be read again, without an end.
Status check_other_file(const std::string& path) {
  struct stat input;
  struct stat output;
  if (::fstat(STDOUT_FILENO, &output) != 0 || !S_ISREG(output.st_mode)) return {};
  const bool is_known = path == standard_input_name ? ::fstat(STDIN_FILENO, &input) == 0
                                                    : ::stat(path.c_str(), &input) == 0;
  if (!is_known || input.st_dev != output.st_dev || input.st_ino != output.st_ino) return {};
  return Status::failure(Operation::open, path, EINVAL, std::nullopt,
                         "the file is also standard output");
}

Status open_standard_input(Reader& reader) {
  std::unique_ptr<Source> input;
  Status status = open_descriptor_source(STDIN_FILENO, "standard input", input);
  std::unique_ptr<Source> source;
  if (status.ok()) status = make_decompressing_source(std::move(input), all_codecs(), source);
  return status.ok() ? reader.open(std::move(source)) : status;
}

// As it ends cat. A process that ignores SIGPIPE goes on, and reports the failure.
void end_if_nothing_reads(const Status& written) {
  if (!written.ok() && written.code().value() == EPIPE) ::raise(SIGPIPE);
}

void expect_ok(const Status& written) {
  end_if_nothing_reads(written);
  if (!written.ok()) throw std::runtime_error(written.message());
}

// Whatever has been read is written before the next read, which may wait.
Status show(const std::string& path, Writer& output, Open open) {
  Reader reader;
  if (Status status = open(reader, path); !status.ok()) return status;
  for (BytesView bytes = reader.peek(1); !bytes.empty(); bytes = reader.peek(1)) {
    output.write(bytes);
    expect_ok(output.flush());
    reader.skip(bytes.size());
  }
  return reader.close();
}

}  // namespace

Status open_file(Reader& reader, const std::string& path) {
  if (Status status = check_other_file(path); !status.ok()) return status;
  return path == standard_input_name ? open_standard_input(reader)
                                     : open_decompressed(reader, path, all_codecs());
}

int run(const Request& request, const char* command, Open open) {
  std::vector<std::string> files = request.files;
  if (files.empty()) files.emplace_back(standard_input_name);
  Writer output = standard_output();
  int exit_code = 0;
  for (const std::string& file : files) {
    const Status status = show(file, output, open);
    if (status.ok()) continue;
    complain(command, on_one_line(status.message()));
    exit_code = exit_failure;
  }
  expect_ok(output.close());
  return exit_code;
}

}  // namespace sluice::cat
