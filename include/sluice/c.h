// The C interface of sluice: Writer, Reader, Journal, whole files and standard streams.
//
//   sluice_error error;
//   sluice_writer* writer = sluice_writer_open("run.bin", NULL, &error);
//   if (writer == NULL) return report(error.message);
//   for (size_t i = 0; i < count; ++i) sluice_write(writer, &values[i], sizeof values[i]);
//   bool is_safe = sluice_writer_close(writer, &error);
//   sluice_writer_free(writer);
//   return is_safe ? 0 : report(error.message);
//
// This header is C11 and C++. It needs no C++ header. Its binary interface (ABI) is stable: a
// program that was linked with one release of the shared library runs with every later release that
// has the same SONAME (libsluice.so.0).
//
// Each call has the contract of the C++ call of the same name. sluice/writer.h, sluice/reader.h,
// sluice/journal.h, sluice/copy.h, sluice/files.h, sluice/standard_streams.h and
// sluice/lost_error.h say which failures a call can have, when bytes become visible or durable, and
// which threads may call. This header names the differences in C. The structs and enums are in
// sluice/c_types.h.
//
// Names: if a call exists for several kinds of handle, its name contains the kind:
// sluice_writer_close, sluice_reader_close. Every call for a Journal, a JournalReader, a mapping or
// a sluice_bytes has such a name too: sluice_journal_append. All other calls are named after their
// work: sluice_put, sluice_next_line, sluice_copy_file.
//
// Failures: a call that can fail returns false or NULL, and describes the failure in *error.
// `error` may be NULL. A call that succeeds leaves *error as it was. The calls that move bytes
// (sluice_write, sluice_get, sluice_next_line, ...) take no `error`, so that they cost little: ask
// sluice_writer_status() or sluice_reader_status(), or look at the result of close.
//
// Handles: an open call that succeeds returns a handle. `sluice_..._close()` writes the buffered
// bytes, releases the file, and tells whether every call has succeeded. After close, the calls that
// move bytes fail with EBADF. `sluice_..._free()` frees the handle. Give the handle to no call
// afterwards. If the handle is still open, `sluice_..._free()` closes it first, and a failure that
// no call has given to the program goes to the lost-error handler. At exit() the library closes the
// open handles of standard output and standard error in this way too. Every other open handle loses
// its buffered bytes at exit(). At _exit() every open handle loses them. No thread may use a handle
// of standard output or standard error while exit() runs. If threads still write, the program must
// join these threads before exit(), or must end by _exit().
//
// NULL: a call with a NULL handle does nothing and returns false, NULL, 0 or SLUICE_END. If the
// call has an `error`, the error is EINVAL. So a program may go on after a failed open, and look at
// the result of close alone.
//
// Window: the inline functions at the end of this header use pointers at the beginning of the
// handle. These pointers are called the window. SLUICE_C_WINDOW is the number of their layout. Each
// open call gives this number to the library, and a library with another layout refuses the call
// with ENOTSUP. Code that calls the library without this header (a binding for another language)
// calls the functions named `..._slow` instead of the inline ones.
#pragma once

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sluice/c_types.h"
#include "sluice/window.h"

#if defined(__GNUC__) && defined(__ELF__)
#define SLUICE_C_API __attribute__((__visibility__("default")))
#else
#define SLUICE_C_API
#endif
#if defined(__MINGW32__) && !defined(__clang__)
// The library formats as GNU's C library does, and not as Microsoft's.
#define SLUICE_C_PRINTF __gnu_printf__
#else
#define SLUICE_C_PRINTF __printf__
#endif
#ifdef __GNUC__
#define SLUICE_C_RESULT SLUICE_C_API __attribute__((__warn_unused_result__))
#define SLUICE_C_FORMAT(text, first) __attribute__((__format__(SLUICE_C_PRINTF, text, first)))
#define SLUICE_C_UNLIKELY(condition) __builtin_expect(condition, 0)
#else
#define SLUICE_C_RESULT SLUICE_C_API
#define SLUICE_C_FORMAT(text, first)
#define SLUICE_C_UNLIKELY(condition) (condition)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- Errors ----

// Returns the word used in messages: "open", "read", ... For any other number returns "(unknown)".
SLUICE_C_API const char* sluice_operation_name(int operation);

// Makes `handler` the lost-error handler of the process (see sluice/lost_error.h). NULL restores
// the default handler, which prints one line on standard error. The error is valid during the call.
// The C and the C++ interface share one handler. Returns false, and changes nothing, if there is no
// memory. To set a handler and a context that were set before needs no memory. Each new pair of a
// handler and a context takes a little memory until the process ends.
typedef void (*sluice_lost_error_handler)(const sluice_error* error, void* context);
SLUICE_C_API bool sluice_set_lost_error_handler(sluice_lost_error_handler handler, void* context);

// ---- Memory that the library fills ----

// Returns NULL if there is no memory.
SLUICE_C_API sluice_bytes* sluice_bytes_new(void);
// The bytes and their number. The pointer is valid until a call fills or frees this sluice_bytes.
SLUICE_C_API void* sluice_bytes_data(sluice_bytes* bytes);
SLUICE_C_API size_t sluice_bytes_size(const sluice_bytes* bytes);
// sluice_bytes_free(NULL) does nothing.
SLUICE_C_API void sluice_bytes_free(sluice_bytes* bytes);

// ---- Writer: sluice/writer.h ----

// sluice_writer_open, sluice_writer_open_sink, sluice_writer_open_memory, sluice_writer_attach,
// sluice_standard_output and sluice_standard_error return an open Writer, or NULL on failure. These
// functions, sluice_put and sluice_write are inline, at the end of this header. At most 16 handles,
// those of standard output and those of standard error together, may exist at one time: open, or
// closed and not yet freed. The next open call fails with EMFILE.

// Writes a text that ends with a NUL, without the NUL.
SLUICE_C_API bool sluice_write_text(sluice_writer* writer, const char* text);

// Formats as printf() does, in the program's locale. The text is made in the block, without a copy,
// if it fits there. If the C library refuses a format, the bytes that were accepted before are
// written, and the Writer fails with the C library's code.
SLUICE_C_API bool sluice_printf(sluice_writer* writer, const char* format, ...)
    SLUICE_C_FORMAT(2, 3);
SLUICE_C_API bool sluice_vprintf(sluice_writer* writer, const char* format, va_list arguments)
    SLUICE_C_FORMAT(2, 0);

// Write the number as text, whatever the locale is: see Writer::write_number. `base` is 2 to 36.
SLUICE_C_API bool sluice_write_int64(sluice_writer* writer, int64_t value);
SLUICE_C_API bool sluice_write_uint64(sluice_writer* writer, uint64_t value);
SLUICE_C_API bool sluice_write_int64_in_base(sluice_writer* writer, int64_t value, int base);
SLUICE_C_API bool sluice_write_uint64_in_base(sluice_writer* writer, uint64_t value, int base);
SLUICE_C_API bool sluice_write_float(sluice_writer* writer, float value);
SLUICE_C_API bool sluice_write_double(sluice_writer* writer, double value);
SLUICE_C_API bool sluice_write_long_double(sluice_writer* writer, long double value);

// `format` is an enum sluice_number_format.
SLUICE_C_API bool sluice_write_float_in_format(sluice_writer* writer, float value, int format,
                                               int precision);
SLUICE_C_API bool sluice_write_double_in_format(sluice_writer* writer, double value, int format,
                                                int precision);
SLUICE_C_API bool sluice_write_long_double_in_format(sluice_writer* writer, long double value,
                                                     int format, int precision);

// Returns the room for `bytes` bytes, or NULL: see Writer::reserve.
SLUICE_C_API void* sluice_reserve(sluice_writer* writer, size_t bytes);
// Says how many bytes of the room were used.
SLUICE_C_API void sluice_commit(sluice_writer* writer, size_t bytes);

// Writes over the old bytes at `position`: see Writer::write_at.
SLUICE_C_API bool sluice_write_at(sluice_writer* writer, uint64_t position, const void* data,
                                  size_t bytes, sluice_error* error);
// Makes the next byte go to `position`: see Writer::seek.
SLUICE_C_API bool sluice_writer_seek(sluice_writer* writer, uint64_t position, sluice_error* error);
// Returns the position of the next byte that will be accepted.
SLUICE_C_API uint64_t sluice_writer_position(const sluice_writer* writer);
// Returns true if the Writer has not failed.
SLUICE_C_API bool sluice_writer_status(const sluice_writer* writer, sluice_error* error);
// Returns true until the Writer is closed or discarded.
SLUICE_C_API bool sluice_writer_is_open(const sluice_writer* writer);
// Makes the bytes visible or durable: see Writer::flush. `to` is an enum sluice_flush_to.
SLUICE_C_API bool sluice_flush(sluice_writer* writer, int to, sluice_error* error);
// Returns true only if every byte is where `durability` says: see Writer::close.
SLUICE_C_RESULT bool sluice_writer_close(sluice_writer* writer, sluice_error* error);
// Leaves the target as it was, if it is replaced atomically: see Writer::discard.
SLUICE_C_API bool sluice_discard(sluice_writer* writer, sluice_error* error);
// Frees the handle. An open Writer is closed first, and a failure that no call has given to the
// program goes to the lost-error handler.
SLUICE_C_API void sluice_writer_free(sluice_writer* writer);

// ---- Reader: sluice/reader.h ----

// sluice_reader_open, sluice_reader_open_source, sluice_reader_open_memory, sluice_reader_attach
// and sluice_standard_input return an open Reader, or NULL on failure. These functions, sluice_get
// and sluice_read are inline, at the end of this header.

#define SLUICE_END (-1)  // what sluice_get() returns when there are no more bytes

// Shows the bytes that come next, and sets *shown to their number, which is at least `bytes` except
// at the end or on failure. Returns NULL if there are no such bytes.
SLUICE_C_API const void* sluice_peek(sluice_reader* reader, size_t bytes, size_t* shown);
// Skips `bytes` bytes, and returns how many bytes it has skipped: see Reader::skip.
SLUICE_C_API uint64_t sluice_skip(sluice_reader* reader, uint64_t bytes);

// Return the next line, or the bytes up to `delimiter`, without the newline or delimiter, and set
// *bytes. No NUL follows the text. It is valid until the next call with this Reader. Return NULL at
// the end or on failure. sluice_next_line_without_cr also leaves out a carriage return that stands
// right before the newline.
SLUICE_C_API const char* sluice_next_line(sluice_reader* reader, size_t* bytes);
SLUICE_C_API const char* sluice_next_line_without_cr(sluice_reader* reader, size_t* bytes);
SLUICE_C_API const char* sluice_read_until(sluice_reader* reader, char delimiter, size_t* bytes);

// Reads up to `values` values of `value_bytes` bytes each, and returns the number of values. An
// incomplete value at the end is a failure with EBADMSG.
SLUICE_C_API size_t sluice_read_values(sluice_reader* reader, void* into, size_t value_bytes,
                                       size_t values);
// Returns all whole records of the block, aligned for any type of this size, and sets *records to
// their number. Returns NULL at the end or on failure. See Reader::records. If `record_bytes` is 0,
// the Reader fails with EINVAL.
SLUICE_C_API const void* sluice_next_records(sluice_reader* reader, size_t record_bytes,
                                             size_t* records);
// Reads all bytes that are left. They replace the old bytes of `into`.
SLUICE_C_API bool sluice_read_rest(sluice_reader* reader, sluice_bytes* into, sluice_error* error);

// Read the next number from text: see Reader::next_number. `format` is an enum
// sluice_number_format; with any other format the Reader fails with EINVAL.
SLUICE_C_API bool sluice_next_int32(sluice_reader* reader, int32_t* value);
SLUICE_C_API bool sluice_next_uint32(sluice_reader* reader, uint32_t* value);
SLUICE_C_API bool sluice_next_int64(sluice_reader* reader, int64_t* value);
SLUICE_C_API bool sluice_next_uint64(sluice_reader* reader, uint64_t* value);
SLUICE_C_API bool sluice_next_int64_in_base(sluice_reader* reader, int64_t* value, int base);
SLUICE_C_API bool sluice_next_uint64_in_base(sluice_reader* reader, uint64_t* value, int base);
SLUICE_C_API bool sluice_next_float(sluice_reader* reader, float* value);
SLUICE_C_API bool sluice_next_double(sluice_reader* reader, double* value);
SLUICE_C_API bool sluice_next_long_double(sluice_reader* reader, long double* value);
SLUICE_C_API bool sluice_next_double_in_format(sluice_reader* reader, double* value, int format);
// Skips the text that was not a number, and returns this text. `delimiters` ends with a NUL; NULL
// stands for whitespace. Call it after a sluice_next_... call that failed because of the text;
// otherwise it returns NULL.
SLUICE_C_API const char* sluice_skip_bad_number(sluice_reader* reader, const char* delimiters,
                                                size_t* bytes);

// Goes to `position`: see Reader::seek.
SLUICE_C_API bool sluice_reader_seek(sluice_reader* reader, uint64_t position, sluice_error* error);
// Sets *bytes to the size of the source, as far as it is known: see Reader::size.
SLUICE_C_API bool sluice_reader_size(sluice_reader* reader, uint64_t* bytes, sluice_error* error);
// Returns the position of the next byte that will be handed out.
SLUICE_C_API uint64_t sluice_reader_position(const sluice_reader* reader);
// Returns true if the Reader has not failed, also at the end.
SLUICE_C_API bool sluice_reader_status(const sluice_reader* reader, sluice_error* error);
// Returns true until the Reader is closed.
SLUICE_C_API bool sluice_reader_is_open(const sluice_reader* reader);
// Releases the source. Returns true if nothing has failed: see Reader::close.
SLUICE_C_RESULT bool sluice_reader_close(sluice_reader* reader, sluice_error* error);
// Frees the handle. An open Reader is closed first.
SLUICE_C_API void sluice_reader_free(sluice_reader* reader);

// ---- Whole files: sluice/files.h and sluice/copy.h ----

// Reads the whole file. Its bytes replace the old bytes of `into`.
SLUICE_C_RESULT bool sluice_read_file(const char* path, sluice_bytes* into, sluice_error* error);
// Reads the whole file into the caller's memory of `bytes` bytes, and sets *got.
SLUICE_C_RESULT bool sluice_read_into(const char* path, void* into, size_t bytes, size_t* got,
                                      sluice_error* error);
// Writes the bytes to the file: see write_file.
SLUICE_C_RESULT bool sluice_write_file(const char* path, const void* data, size_t bytes,
                                       const sluice_writer_options* options, sluice_error* error);
// Set *bytes to the size of the file.
SLUICE_C_RESULT bool sluice_file_size(const char* path, uint64_t* bytes, sluice_error* error);
SLUICE_C_RESULT bool sluice_descriptor_size(int descriptor, uint64_t* bytes, sluice_error* error);
// Copies the file by the fastest way that works here: see copy_file.
SLUICE_C_RESULT bool sluice_copy_file(const char* from, const char* to,
                                      const sluice_copy_options* options, sluice_error* error);
// Copies at most `bytes` bytes (UINT64_MAX: all that are left). `copied` may be NULL.
SLUICE_C_RESULT bool sluice_copy(sluice_reader* from, sluice_writer* to, uint64_t bytes,
                                 uint64_t* copied, sluice_error* error);
// Removes the files that killed replacements have left, and sets *removed to their number: see
// remove_abandoned_replacements.
SLUICE_C_API bool sluice_remove_abandoned_replacements(const char* directory, uint64_t* removed,
                                                       sluice_error* error);

// Maps the file: see map_file. Returns NULL on failure.
SLUICE_C_API sluice_mapping* sluice_map_file(const char* path, sluice_error* error);
// The bytes of the file and their number, valid until sluice_mapping_free(). For a NULL mapping the
// calls return NULL and 0.
SLUICE_C_API const void* sluice_mapping_data(const sluice_mapping* mapping);
SLUICE_C_API size_t sluice_mapping_size(const sluice_mapping* mapping);
SLUICE_C_API void sluice_mapping_free(sluice_mapping* mapping);

// ---- Journal: sluice/journal.h ----

// Opens or creates the Journal: see Journal::open.
// `recovered` may be NULL. It is filled even if the call fails, unless the options are refused.
SLUICE_C_API sluice_journal* sluice_journal_open(const char* path,
                                                 const sluice_journal_options* options,
                                                 sluice_recovered* recovered, sluice_error* error);
// Appends a record, and sets *ticket.
SLUICE_C_RESULT bool sluice_journal_append(sluice_journal* journal, const void* record,
                                           size_t bytes, uint64_t* ticket, sluice_error* error);
// Returns true once the record and all records before it are durable.
SLUICE_C_RESULT bool sluice_journal_commit(sluice_journal* journal, uint64_t ticket,
                                           sluice_error* error);
// Sets *ticket to the position up to which everything is durable, without waiting: see
// Journal::durable_up_to.
SLUICE_C_RESULT bool sluice_journal_durable_up_to(sluice_journal* journal, uint64_t* ticket,
                                                  sluice_error* error);
// Returns true if the Journal has not failed.
SLUICE_C_API bool sluice_journal_status(const sluice_journal* journal, sluice_error* error);
// Returns true until the Journal is closed.
SLUICE_C_API bool sluice_journal_is_open(const sluice_journal* journal);
// Makes everything durable, and releases the file and its lock.
SLUICE_C_RESULT bool sluice_journal_close(sluice_journal* journal, sluice_error* error);
// Frees the handle. An open Journal is closed first.
SLUICE_C_API void sluice_journal_free(sluice_journal* journal);

// Opens a Journal for reading, also while it is being written. Returns NULL on failure.
SLUICE_C_API sluice_journal_reader* sluice_journal_reader_open(const char* path,
                                                               sluice_error* error);
// Returns the next record and sets *bytes. Returns NULL after the last whole record and after a
// failure. A record of 0 bytes is not NULL.
SLUICE_C_API const void* sluice_journal_reader_next(sluice_journal_reader* reader, size_t* bytes);
// Returns the number of bytes from the start of the file that are known to be whole.
SLUICE_C_API uint64_t sluice_journal_reader_position(const sluice_journal_reader* reader);
// Returns true if nothing has failed. Torn or damaged bytes are not a failure.
SLUICE_C_API bool sluice_journal_reader_status(const sluice_journal_reader* reader,
                                               sluice_error* error);
// Closes the file and frees the handle.
SLUICE_C_API void sluice_journal_reader_free(sluice_journal_reader* reader);

// ---- Functions that the inline functions call ----

// Each of these functions does the work of the function without _slow in its name. `window` is
// SLUICE_C_WINDOW.
SLUICE_C_API sluice_writer* sluice_writer_open_slow(unsigned window, const char* path,
                                                    const sluice_writer_options* options,
                                                    sluice_error* error);
SLUICE_C_API sluice_writer* sluice_writer_open_sink_slow(unsigned window, const sluice_sink* sink,
                                                         const sluice_writer_options* options,
                                                         sluice_error* error);
SLUICE_C_API sluice_writer* sluice_writer_open_memory_slow(unsigned window, sluice_bytes* target,
                                                           const sluice_writer_options* options,
                                                           sluice_error* error);
SLUICE_C_API sluice_writer* sluice_writer_attach_slow(unsigned window, int descriptor,
                                                      const char* name,
                                                      const sluice_writer_options* options,
                                                      sluice_error* error);
SLUICE_C_API sluice_writer* sluice_standard_output_slow(unsigned window,
                                                        const sluice_writer_options* options,
                                                        sluice_error* error);
SLUICE_C_API sluice_writer* sluice_standard_error_slow(unsigned window,
                                                       const sluice_writer_options* options,
                                                       sluice_error* error);
SLUICE_C_API bool sluice_put_slow(sluice_writer* writer, int byte);
SLUICE_C_API bool sluice_write_slow(sluice_writer* writer, const void* data, size_t bytes);
SLUICE_C_API sluice_reader* sluice_reader_open_slow(unsigned window, const char* path,
                                                    const sluice_reader_options* options,
                                                    sluice_error* error);
SLUICE_C_API sluice_reader* sluice_reader_open_source_slow(unsigned window,
                                                           const sluice_source* source,
                                                           const sluice_reader_options* options,
                                                           sluice_error* error);
SLUICE_C_API sluice_reader* sluice_reader_open_memory_slow(unsigned window, const void* data,
                                                           size_t bytes,
                                                           const sluice_reader_options* options,
                                                           sluice_error* error);
SLUICE_C_API sluice_reader* sluice_reader_attach_slow(unsigned window, int descriptor,
                                                      const char* name,
                                                      const sluice_reader_options* options,
                                                      sluice_error* error);
SLUICE_C_API sluice_reader* sluice_standard_input_slow(unsigned window,
                                                       const sluice_reader_options* options,
                                                       sluice_error* error);
SLUICE_C_API int sluice_get_slow(sluice_reader* reader);
SLUICE_C_API size_t sluice_read_slow(sluice_reader* reader, void* into, size_t bytes);

#ifdef __cplusplus
}
#endif

// ---- Inline functions ----

// Opens the file at `path` for writing.
static inline sluice_writer* sluice_writer_open(const char* path,
                                                const sluice_writer_options* options,
                                                sluice_error* error) {
  return sluice_writer_open_slow(SLUICE_C_WINDOW, path, options, error);
}

// Opens a Sink of the program's own. The struct is copied.
static inline sluice_writer* sluice_writer_open_sink(const sluice_sink* sink,
                                                     const sluice_writer_options* options,
                                                     sluice_error* error) {
  return sluice_writer_open_sink_slow(SLUICE_C_WINDOW, sink, options, error);
}

// Appends to `target`, which must live until the Writer is closed.
static inline sluice_writer* sluice_writer_open_memory(sluice_bytes* target,
                                                       const sluice_writer_options* options,
                                                       sluice_error* error) {
  return sluice_writer_open_memory_slow(SLUICE_C_WINDOW, target, options, error);
}

// Writes to an open descriptor, which sluice_writer_close() leaves open. `name` is for messages.
static inline sluice_writer* sluice_writer_attach(int descriptor, const char* name,
                                                  const sluice_writer_options* options,
                                                  sluice_error* error) {
  return sluice_writer_attach_slow(SLUICE_C_WINDOW, descriptor, name, options, error);
}

// Standard streams: sluice/standard_streams.h. A stream that cannot be attached gives NULL.
static inline sluice_writer* sluice_standard_output(const sluice_writer_options* options,
                                                    sluice_error* error) {
  return sluice_standard_output_slow(SLUICE_C_WINDOW, options, error);
}
static inline sluice_writer* sluice_standard_error(const sluice_writer_options* options,
                                                   sluice_error* error) {
  return sluice_standard_error_slow(SLUICE_C_WINDOW, options, error);
}
static inline sluice_reader* sluice_standard_input(const sluice_reader_options* options,
                                                   sluice_error* error) {
  return sluice_standard_input_slow(SLUICE_C_WINDOW, options, error);
}

// Opens the file at `path` for reading.
static inline sluice_reader* sluice_reader_open(const char* path,
                                                const sluice_reader_options* options,
                                                sluice_error* error) {
  return sluice_reader_open_slow(SLUICE_C_WINDOW, path, options, error);
}

// Opens a Source of the program's own. The struct is copied.
static inline sluice_reader* sluice_reader_open_source(const sluice_source* source,
                                                       const sluice_reader_options* options,
                                                       sluice_error* error) {
  return sluice_reader_open_source_slow(SLUICE_C_WINDOW, source, options, error);
}

// Reads the `bytes` bytes at `data`, which must live until the Reader is closed.
static inline sluice_reader* sluice_reader_open_memory(const void* data, size_t bytes,
                                                       const sluice_reader_options* options,
                                                       sluice_error* error) {
  return sluice_reader_open_memory_slow(SLUICE_C_WINDOW, data, bytes, options, error);
}

// Reads from an open descriptor, which sluice_reader_close() leaves open.
static inline sluice_reader* sluice_reader_attach(int descriptor, const char* name,
                                                  const sluice_reader_options* options,
                                                  sluice_error* error) {
  return sluice_reader_attach_slow(SLUICE_C_WINDOW, descriptor, name, options, error);
}

// Writes one byte, `byte` converted to unsigned char.
static inline bool sluice_put(sluice_writer* writer, int byte) {
  if (SLUICE_C_UNLIKELY(!writer || writer->cursor_ == writer->limit_)) {
    return sluice_put_slow(writer, byte);
  }
  *writer->cursor_++ = SLUICE_C_CAST(sluice_byte, byte);
  return true;
}

// Writes the bytes. Returns false once the Writer has failed.
static inline bool sluice_write(sluice_writer* writer, const void* data, size_t bytes) {
  // 0 bytes take the slow path too, because 0 - 1 is more than any room.
  if (SLUICE_C_UNLIKELY(!writer ||
                        bytes - 1 >= SLUICE_C_CAST(size_t, writer->limit_ - writer->cursor_))) {
    return sluice_write_slow(writer, data, bytes);
  }
  memcpy(writer->cursor_, data, bytes);
  writer->cursor_ += bytes;
  return true;
}

// Takes the next byte, 0 to 255, or returns SLUICE_END.
static inline int sluice_get(sluice_reader* reader) {
  if (SLUICE_C_UNLIKELY(!reader || reader->cursor_ == reader->limit_)) {
    return sluice_get_slow(reader);
  }
  return SLUICE_C_CAST(int, *reader->cursor_++);
}

// Fills `into` and returns the number of bytes, which is smaller than `bytes` only at the end or on
// failure.
static inline size_t sluice_read(sluice_reader* reader, void* into, size_t bytes) {
  if (SLUICE_C_UNLIKELY(!reader || bytes == 0 ||
                        SLUICE_C_CAST(size_t, reader->limit_ - reader->cursor_) < bytes)) {
    return sluice_read_slow(reader, into, bytes);
  }
  memcpy(into, reader->cursor_, bytes);
  reader->cursor_ += bytes;
  return bytes;
}
