// The Reader of the C interface.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "c/callbacks.h"
#include "c/error.h"
#include "c/formats.h"
#include "c/handles.h"
#include "sluice/standard_streams.h"

using sluice::CarriageReturn;
using sluice::CInterface;
using sluice::Operation;
using sluice::Reader;
using sluice::ReaderOptions;
using sluice::Status;

namespace {

template <typename Handle, typename Call>
bool made(Handle* handle, Operation operation, sluice_error* error, Call call) noexcept {
  return sluice::c::made("the sluice_reader is NULL", handle, operation, error,
                         [&](Handle& of) { return call(CInterface::of(of)); });
}

template <typename Open>
sluice_reader* open_reader(unsigned window, const char* name, const sluice_reader_options* options,
                           sluice_error* error, Open open) noexcept {
  return sluice::c::opened<Reader, ReaderOptions>(window, name, options, error, std::move(open));
}

// Returns the text, and sets *bytes. The text is null if there is none.
const char* given(std::string_view text, size_t* bytes) {
  *bytes = text.size();
  return text.data();
}

const char* next_line(sluice_reader* reader, size_t* bytes, CarriageReturn carriage_return) {
  std::string_view line;
  if (reader != nullptr) CInterface::of(*reader).next_line(line, carriage_return);
  return given(line, bytes);
}

template <typename T>
bool next_number(sluice_reader* reader, T* value) {
  return reader != nullptr && CInterface::of(*reader).next_number(*value);
}

template <typename T>
bool next_number_in_base(sluice_reader* reader, T* value, int base) {
  return reader != nullptr && CInterface::of(*reader).next_number(*value, base);
}

// The greatest alignment that a type of this size can have.
std::size_t alignment_of(std::size_t record_bytes) {
  const std::size_t lowest_bit = record_bytes & (0 - record_bytes);
  return std::min(lowest_bit, alignof(std::max_align_t));
}

}  // namespace

sluice_reader* sluice_reader_open_slow(unsigned window, const char* path,
                                       const sluice_reader_options* options, sluice_error* error) {
  return open_reader(window, path, options, error, [&](Reader& reader, const ReaderOptions& taken) {
    return reader.open(path, taken);
  });
}

sluice_reader* sluice_reader_open_source_slow(unsigned window, const sluice_source* source,
                                              const sluice_reader_options* options,
                                              sluice_error* error) {
  std::unique_ptr<sluice::Source> from;
  const Status status = sluice::c::make_source(window, source, from);
  if (!sluice::c::succeeds(status, error)) return nullptr;
  return open_reader(window, source->name, options, error,
                     [&](Reader& reader, const ReaderOptions& taken) {
                       return reader.open(std::move(from), taken);
                     });
}

sluice_reader* sluice_reader_open_memory_slow(unsigned window, const void* data, size_t bytes,
                                              const sluice_reader_options* options,
                                              sluice_error* error) {
  const sluice::BytesView memory(static_cast<const std::byte*>(data), bytes);
  return open_reader(window, "(memory)", options, error,
                     [&](Reader& reader, const ReaderOptions& taken) {
                       return reader.open(sluice::make_memory_source(memory), taken);
                     });
}

sluice_reader* sluice_reader_attach_slow(unsigned window, int descriptor, const char* name,
                                         const sluice_reader_options* options,
                                         sluice_error* error) {
  return open_reader(window, name, options, error, [&](Reader& reader, const ReaderOptions& taken) {
    return reader.attach(descriptor, name, taken);
  });
}

sluice_reader* sluice_standard_input_slow(unsigned window, const sluice_reader_options* options,
                                          sluice_error* error) {
  return open_reader(window, "standard input", options, error,
                     [](Reader& reader, const ReaderOptions& taken) {
                       reader = sluice::standard_input(taken);
                       return reader.status();
                     });
}

int sluice_get_slow(sluice_reader* reader) {
  return reader == nullptr ? SLUICE_END : CInterface::of(*reader).get();
}

size_t sluice_read_slow(sluice_reader* reader, void* into, size_t bytes) {
  return reader == nullptr ? 0 : CInterface::of(*reader).read(into, bytes);
}

const void* sluice_peek(sluice_reader* reader, size_t bytes, size_t* shown) {
  const sluice::BytesView view =
      reader == nullptr ? sluice::BytesView() : CInterface::of(*reader).peek(bytes);
  *shown = view.size();
  return view.empty() ? nullptr : view.data();
}

uint64_t sluice_skip(sluice_reader* reader, uint64_t bytes) {
  return reader == nullptr ? 0 : CInterface::of(*reader).skip(bytes);
}

const char* sluice_next_line(sluice_reader* reader, size_t* bytes) {
  return next_line(reader, bytes, CarriageReturn::keep);
}

const char* sluice_next_line_without_cr(sluice_reader* reader, size_t* bytes) {
  return next_line(reader, bytes, CarriageReturn::strip);
}

const char* sluice_read_until(sluice_reader* reader, char delimiter, size_t* bytes) {
  std::string_view part;
  if (reader != nullptr) CInterface::of(*reader).read_until(delimiter, part);
  return given(part, bytes);
}

size_t sluice_read_values(sluice_reader* reader, void* into, size_t value_bytes, size_t values) {
  if (reader == nullptr) return 0;
  Reader& of = CInterface::of(*reader);
  size_t all_bytes = 0;
  if (value_bytes == 0 || __builtin_mul_overflow(value_bytes, values, &all_bytes)) {
    CInterface::refuse(of,
                       "the values have 0 bytes, or more bytes together than a size_t can hold");
    return 0;
  }
  return CInterface::read_values(of, into, value_bytes, values);
}

const void* sluice_next_records(sluice_reader* reader, size_t record_bytes, size_t* records) {
  *records = 0;
  if (reader == nullptr) return nullptr;
  Reader& of = CInterface::of(*reader);
  if (record_bytes == 0) {
    CInterface::refuse(of, "a record has 0 bytes");
    return nullptr;
  }
  const sluice::BytesView bytes =
      CInterface::take_records(of, record_bytes, alignment_of(record_bytes));
  *records = bytes.size() / record_bytes;
  return bytes.empty() ? nullptr : bytes.data();
}

bool sluice_read_rest(sluice_reader* reader, sluice_bytes* into, sluice_error* error) {
  return made(reader, Operation::read, error, [&](Reader& of) {
    if (into == nullptr) return sluice::c::is_null(Operation::read, "the sluice_bytes is NULL");
    return of.read_rest(into->bytes);
  });
}

bool sluice_next_int32(sluice_reader* reader, int32_t* value) { return next_number(reader, value); }

bool sluice_next_uint32(sluice_reader* reader, uint32_t* value) {
  return next_number(reader, value);
}

bool sluice_next_int64(sluice_reader* reader, int64_t* value) { return next_number(reader, value); }

bool sluice_next_uint64(sluice_reader* reader, uint64_t* value) {
  return next_number(reader, value);
}

bool sluice_next_int64_in_base(sluice_reader* reader, int64_t* value, int base) {
  return next_number_in_base(reader, value, base);
}

bool sluice_next_uint64_in_base(sluice_reader* reader, uint64_t* value, int base) {
  return next_number_in_base(reader, value, base);
}

bool sluice_next_float(sluice_reader* reader, float* value) { return next_number(reader, value); }

bool sluice_next_double(sluice_reader* reader, double* value) { return next_number(reader, value); }

bool sluice_next_long_double(sluice_reader* reader, long double* value) {
  return next_number(reader, value);
}

bool sluice_next_double_in_format(sluice_reader* reader, double* value, int format) {
  if (reader == nullptr) return false;
  Reader& of = CInterface::of(*reader);
  const std::optional<std::chars_format> chosen = sluice::c::number_format(format);
  return chosen ? of.next_number(*value, *chosen)
                : CInterface::refuse(of, "the format of the number is no sluice_number_format");
}

const char* sluice_skip_bad_number(sluice_reader* reader, const char* delimiters, size_t* bytes) {
  std::string_view text;
  if (reader != nullptr && delimiters == nullptr) {
    CInterface::of(*reader).skip_bad_number(text);
  } else if (reader != nullptr) {
    CInterface::of(*reader).skip_bad_number(text, delimiters);
  }
  return given(text, bytes);
}

bool sluice_reader_seek(sluice_reader* reader, uint64_t position, sluice_error* error) {
  return made(reader, Operation::seek, error, [&](Reader& of) { return of.seek(position); });
}

bool sluice_reader_size(sluice_reader* reader, uint64_t* bytes, sluice_error* error) {
  return made(reader, Operation::stat, error, [&](Reader& of) { return of.size(*bytes); });
}

uint64_t sluice_reader_position(const sluice_reader* reader) {
  return reader == nullptr ? 0 : CInterface::of(*reader).position();
}

bool sluice_reader_status(const sluice_reader* reader, sluice_error* error) {
  return made(reader, Operation::read, error, [](const Reader& of) { return of.status(); });
}

bool sluice_reader_is_open(const sluice_reader* reader) {
  return reader != nullptr && CInterface::of(*reader).is_open();
}

bool sluice_reader_close(sluice_reader* reader, sluice_error* error) {
  return made(reader, Operation::close, error, [](Reader& of) { return of.close(); });
}

void sluice_reader_free(sluice_reader* reader) {
  if (reader != nullptr) delete &CInterface::of(*reader);
}
