#include "put/command.h"

#include <stdexcept>

#include "command_line/output.h"
#include "put/input.h"
#include "sluice/object.h"

namespace sluice::put {
namespace {

constexpr std::size_t read_bytes = 256 * 1024;

void expect_ok(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message());
}

WriterOptions options_for(const Request& request) {
  WriterOptions options;
  if (request.atomic) options.create = CreateMode::replace_atomically;
  if (request.durable) options.durability = Durability::on_close;
  return options;
}

// Reads until `into` is full. `filled` is less after a failure, at the end and after a signal.
Status fill(Input& input, MutableBytesView into, std::size_t& filled) {
  filled = 0;
  std::size_t got = 0;
  do {
    Status status = input.read(into.subspan(filled), got);
    if (!status.ok()) return status;
    filled += got;
  } while (got != 0 && filled != into.size());
  return {};
}

// Reads straight into the Writer's block. Every room is filled, so that the blocks, and thus the
// bytes of a compressed file, do not depend on the sizes in which a pipe gives its bytes. A Writer
// that fails gives no room; its close() says why.
Status copy(Input& input, Writer& writer) {
  for (;;) {
    const MutableBytesView room = writer.reserve(read_bytes);
    if (room.empty()) return {};
    std::size_t filled = 0;
    Status status = fill(input, room, filled);
    writer.commit(filled);
    if (!status.ok() || filled != room.size()) return status;
  }
}

// With --atomic the old file stays. Without --atomic the file keeps the bytes that were written so
// far.
Status give_up(const Request& request, Writer& writer) {
  return request.atomic ? writer.discard() : writer.close();
}

// Without --atomic a signal may end the command at any moment.
Input::Signals signals_for(const Request& request) {
  if (!request.atomic) return Input::Signals::end_the_program;
  return is_object_uri(request.file) ? Input::Signals::end_the_program_the_second_time
                                     : Input::Signals::are_held_back;
}

// Returns the signal that interrupted the command, or 0.
int put(const Request& request, Open open) {
  ignore_file_size_signal();
  Input input(signals_for(request));
  expect_ok(check_input(request.file, request.atomic));
  Writer writer;
  expect_ok(open(writer, request, options_for(request)));
  const Status read = copy(input, writer);
  if (!read.ok() || input.signal() != 0) {
    const Status given_up = give_up(request, writer);
    expect_ok(read);
    if (!given_up.ok()) complain("sluice put", given_up.message());
    return input.signal();
  }
  expect_ok(writer.close());
  return 0;
}

}  // namespace

int run(const Request& request, Open open) {
  const int signal = put(request, open);
  return signal == 0 ? 0 : end_by(signal);
}

}  // namespace sluice::put
