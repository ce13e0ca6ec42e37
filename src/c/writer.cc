// The Writer of the C interface, without its numbers and formats.
#include <cerrno>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "c/callbacks.h"
#include "c/error.h"
#include "c/handles.h"
#include "c/standard_handles.h"
#include "sluice/standard_streams.h"

using sluice::CInterface;
using sluice::Operation;
using sluice::Status;
using sluice::Writer;
using sluice::WriterOptions;

namespace {

template <typename Handle, typename Call>
bool made(Handle* handle, Operation operation, sluice_error* error, Call call) noexcept {
  return sluice::c::made("the sluice_writer is NULL", handle, operation, error,
                         [&](Handle& of) { return call(CInterface::of(of)); });
}

template <typename Open>
sluice_writer* open_writer(unsigned window, const char* name, const sluice_writer_options* options,
                           sluice_error* error, Open open) noexcept {
  return sluice::c::opened<Writer, WriterOptions>(window, name, options, error, std::move(open));
}

// A standard stream that cannot be attached has its failure from the beginning. The C interface
// returns no such handle: the failure goes to the caller alone.
Status take_stream(Writer&& stream, Writer& writer) noexcept {
  Status status = stream.status();
  if (status.ok()) {
    writer = std::move(stream);
  } else {
    static_cast<void>(stream.close());
  }
  return status;
}

sluice_writer* open_stream(unsigned window, const char* name, const sluice_writer_options* options,
                           sluice_error* error, Writer (*make)(const WriterOptions&)) noexcept {
  sluice_writer* const handle = open_writer(
      window, name, options, error,
      [&](Writer& writer, const WriterOptions& taken) { return take_stream(make(taken), writer); });
  if (handle == nullptr || sluice::c::close_at_exit(&CInterface::of(*handle))) return handle;
  static_assert(sluice::c::max_standard_handles == 16, "the message below has the number");
  sluice::c::describe(Status::failure(Operation::open, name, EMFILE, std::nullopt,
                                      "16 handles of standard output and standard error are open "
                                      "already: close and free one of them"),
                      error);
  sluice_writer_free(handle);
  return nullptr;
}

}  // namespace

sluice_writer* sluice_writer_open_slow(unsigned window, const char* path,
                                       const sluice_writer_options* options, sluice_error* error) {
  return open_writer(window, path, options, error, [&](Writer& writer, const WriterOptions& taken) {
    return writer.open(path, taken);
  });
}

sluice_writer* sluice_writer_open_sink_slow(unsigned window, const sluice_sink* sink,
                                            const sluice_writer_options* options,
                                            sluice_error* error) {
  std::unique_ptr<sluice::Sink> target;
  const Status status = sluice::c::make_sink(window, sink, target);
  if (!sluice::c::succeeds(status, error)) return nullptr;
  return open_writer(window, sink->name, options, error,
                     [&](Writer& writer, const WriterOptions& taken) {
                       return writer.open(std::move(target), taken);
                     });
}

sluice_writer* sluice_writer_open_memory_slow(unsigned window, sluice_bytes* target,
                                              const sluice_writer_options* options,
                                              sluice_error* error) {
  if (target == nullptr) {
    sluice::c::describe(sluice::c::is_null(Operation::open, "the sluice_bytes is NULL"), error);
    return nullptr;
  }
  return open_writer(window, "(memory)", options, error,
                     [&](Writer& writer, const WriterOptions& taken) {
                       return writer.open(sluice::make_memory_sink(target->bytes), taken);
                     });
}

sluice_writer* sluice_writer_attach_slow(unsigned window, int descriptor, const char* name,
                                         const sluice_writer_options* options,
                                         sluice_error* error) {
  return open_writer(window, name, options, error, [&](Writer& writer, const WriterOptions& taken) {
    return writer.attach(descriptor, name, taken);
  });
}

sluice_writer* sluice_standard_output_slow(unsigned window, const sluice_writer_options* options,
                                           sluice_error* error) {
  return open_stream(window, "standard output", options, error, sluice::standard_output);
}

sluice_writer* sluice_standard_error_slow(unsigned window, const sluice_writer_options* options,
                                          sluice_error* error) {
  return open_stream(window, "standard error", options, error, sluice::standard_error);
}

bool sluice_put_slow(sluice_writer* writer, int byte) {
  return writer != nullptr && CInterface::of(*writer).put(static_cast<std::byte>(byte));
}

bool sluice_write_slow(sluice_writer* writer, const void* data, size_t bytes) {
  return writer != nullptr && CInterface::of(*writer).write(data, bytes);
}

bool sluice_write_text(sluice_writer* writer, const char* text) {
  if (writer == nullptr) return false;
  Writer& of = CInterface::of(*writer);
  if (text == nullptr) return CInterface::refuse(of, EINVAL, "the text is NULL: pass \"\"");
  return of.write(text);
}

void* sluice_reserve(sluice_writer* writer, size_t bytes) {
  return writer == nullptr ? nullptr : CInterface::of(*writer).reserve(bytes).data();
}

void sluice_commit(sluice_writer* writer, size_t bytes) {
  if (writer != nullptr) CInterface::of(*writer).commit(bytes);
}

bool sluice_write_at(sluice_writer* writer, uint64_t position, const void* data, size_t bytes,
                     sluice_error* error) {
  return made(writer, Operation::write, error, [&](Writer& of) {
    return of.write_at(position, {static_cast<const std::byte*>(data), bytes});
  });
}

bool sluice_writer_seek(sluice_writer* writer, uint64_t position, sluice_error* error) {
  return made(writer, Operation::seek, error, [&](Writer& of) { return of.seek(position); });
}

uint64_t sluice_writer_position(const sluice_writer* writer) {
  return writer == nullptr ? 0 : CInterface::of(*writer).position();
}

bool sluice_writer_status(const sluice_writer* writer, sluice_error* error) {
  return made(writer, Operation::write, error, [](const Writer& of) { return of.status(); });
}

bool sluice_writer_is_open(const sluice_writer* writer) {
  return writer != nullptr && CInterface::of(*writer).is_open();
}

bool sluice_flush(sluice_writer* writer, int to, sluice_error* error) {
  return made(writer, Operation::flush, error, [&](Writer& of) {
    const std::string_view path = CInterface::path_of(of);
    Status status = sluice::c::check_choice(path, "to", to, SLUICE_TO_STORAGE, Operation::flush);
    return status.ok() ? of.flush(static_cast<sluice::FlushTo>(to)) : status;
  });
}

bool sluice_writer_close(sluice_writer* writer, sluice_error* error) {
  return made(writer, Operation::close, error, [](Writer& of) { return of.close(); });
}

bool sluice_discard(sluice_writer* writer, sluice_error* error) {
  return made(writer, Operation::discard, error, [](Writer& of) { return of.discard(); });
}

void sluice_writer_free(sluice_writer* writer) {
  if (writer == nullptr) return;
  sluice::c::forget(&CInterface::of(*writer));
  delete &CInterface::of(*writer);
}
