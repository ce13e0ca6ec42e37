// `sluice put` for Windows, which has no signals to hold back: Ctrl-C ends the command at once.
// With --atomic the old file stays.
#include <stdexcept>

#include "put/command.h"
#include "sluice/copy.h"
#include "sluice/standard_streams.h"
#include "sluice/writer.h"

namespace sluice::put {
namespace {

void expect_ok(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message());
}

}  // namespace

int run(const Request& request) {
  WriterOptions options;
  if (request.atomic) options.create = CreateMode::replace_atomically;
  if (request.durable) options.durability = Durability::on_close;
  Writer writer;
  expect_ok(writer.open(request.file, options));
  Reader input = standard_input();
  const Status copied = copy(input, writer);
  if (!copied.ok() && request.atomic) static_cast<void>(writer.discard());
  expect_ok(copied);
  expect_ok(writer.close());
  return 0;
}

}  // namespace sluice::put
