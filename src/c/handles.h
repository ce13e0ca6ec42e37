// What the handles of the C interface are. A sluice_writer is the base of a Writer, and a
// sluice_reader is the base of a Reader: so a handle points to the Writer's own window. The other
// handles are structs of the library.
#pragma once

#include <memory>
#include <new>
#include <string_view>

#include "c/error.h"
#include "c/options.h"
#include "sluice/bytes.h"
#include "sluice/c.h"
#include "sluice/files.h"
#include "sluice/journal.h"
#include "sluice/reader.h"
#include "sluice/writer.h"

struct sluice_bytes {
  sluice::Bytes bytes;
};
struct sluice_mapping {
  sluice::MappedFile file;
};
struct sluice_journal {
  sluice::Journal journal;
};
struct sluice_journal_reader {
  sluice::JournalReader reader;
};

namespace sluice {

// The friend of Writer and Reader that converts handles, and makes the calls that the C++ interface
// makes from its templates.
struct CInterface {
  static Writer& of(sluice_writer& handle) { return static_cast<Writer&>(handle); }
  static const Writer& of(const sluice_writer& handle) {
    return static_cast<const Writer&>(handle);
  }
  static sluice_writer* handle_of(Writer* writer) { return writer; }
  static Reader& of(sluice_reader& handle) { return static_cast<Reader&>(handle); }
  static const Reader& of(const sluice_reader& handle) {
    return static_cast<const Reader&>(handle);
  }
  static sluice_reader* handle_of(Reader* reader) { return reader; }

  static std::string_view path_of(const Writer& writer) { return writer.target_path(); }
  static char* room(Writer& writer) { return reinterpret_cast<char*>(writer.cursor_); }
  static std::size_t room_bytes(const Writer& writer) {
    return static_cast<std::size_t>(writer.limit_ - writer.cursor_);
  }
  static void accept(Writer& writer, std::size_t bytes) { writer.cursor_ += bytes; }
  static bool run_out_of_memory(Writer& writer) { return writer.run_out_of_memory(); }
  static bool refuse(Writer& writer, int code, std::string_view reason) {
    return writer.refuse_call(code, reason);
  }

  static std::size_t read_values(Reader& reader, void* into, std::size_t value_bytes,
                                 std::size_t values) {
    return reader.read_values_slow(into, value_bytes, values);
  }
  static BytesView take_records(Reader& reader, std::size_t record_bytes, std::size_t alignment) {
    return reader.take_records(record_bytes, alignment);
  }
  static bool refuse(Reader& reader, std::string_view reason) { return reader.refuse_call(reason); }
};

namespace c {

// Calls `call` with the handle, and describes the Status that it returns.
template <typename Handle, typename Call>
bool made(std::string_view null_reason, Handle* handle, Operation operation, sluice_error* error,
          Call call) noexcept {
  if (handle == nullptr) return succeeds(is_null(operation, null_reason), error);
  return succeeds(call(*handle), error);
}

// Makes a handle's object and opens it. Returns null after a failure. `open` is called with the
// object and the options, and returns a Status.
template <typename Object, typename Options, typename Given, typename Open>
auto opened(unsigned window, const char* name, const Given* given, sluice_error* error,
            Open open) noexcept -> decltype(CInterface::handle_of(static_cast<Object*>(nullptr))) {
  if (name == nullptr) {
    describe(is_null(Operation::open, "the path or name is NULL"), error);
    return nullptr;
  }
  Options options;
  Status status = check_window(name, window);
  if (status.ok()) status = take_options(name, given, options);
  if (!succeeds(status, error)) return nullptr;
  std::unique_ptr<Object> object(new (std::nothrow) Object);
  status = guarded(name, [&] {
    if (!object) throw std::bad_alloc();
    return open(*object, options);
  });
  return succeeds(status, error) ? CInterface::handle_of(object.release()) : nullptr;
}

}  // namespace c
}  // namespace sluice
