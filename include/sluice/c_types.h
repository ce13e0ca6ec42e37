// The structs and enums of sluice/c.h, which includes this header.
//
// The members of the options and their defaults are explained in sluice/options.h. Begin with the
// initialiser:
//
//   sluice_writer_options options = SLUICE_WRITER_OPTIONS_INIT;
//   options.create = SLUICE_REPLACE_ATOMICALLY;
//
// Later releases may add members. `bytes` tells the library which members the program knows.
// Options that do not begin with the initialiser are refused with EINVAL. NULL stands for the
// defaults.
//
// This header is C11 and C++.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/window.h"

#ifdef __cplusplus
#define SLUICE_C_CAST(type, value) static_cast<type>(value)
extern "C" {
#else
#define SLUICE_C_CAST(type, value) ((type)(value))
#endif

// Handles. Only the inline functions of sluice/c.h look inside.
typedef struct sluice_writer sluice_writer;
typedef struct sluice_reader sluice_reader;
typedef struct sluice_journal sluice_journal;
typedef struct sluice_journal_reader sluice_journal_reader;
typedef struct sluice_bytes sluice_bytes;
typedef struct sluice_mapping sluice_mapping;

// ---- Errors ----

// The operation that has failed.
enum sluice_operation {
  SLUICE_OPEN,      // opening a file, or attaching a descriptor
  SLUICE_READ,      // reading bytes
  SLUICE_WRITE,     // writing bytes
  SLUICE_SYNC,      // making bytes durable
  SLUICE_CLOSE,     // releasing a file
  SLUICE_STAT,      // finding the size or the kind of a file
  SLUICE_MAP,       // mapping a file into memory
  SLUICE_ALLOCATE,  // getting memory
  SLUICE_FLUSH,     // a flush that was refused
  SLUICE_REMOVE,    // removing a file
  SLUICE_REPLACE,   // putting a new file in the place of an old file
  // Making a file's name durable. If this fails, the file is in place, but its name may not survive
  // a power cut.
  SLUICE_SYNC_DIRECTORY,
  SLUICE_DISCARD,  // a discard that was refused
  SLUICE_SEEK      // going to another position
};

// A failure. It owns no memory outside itself. A path or message that is too long for its array is
// cut, and ends with "...".
typedef struct sluice_error {
  int code;            // an errno value, never 0
  int operation;       // an enum sluice_operation
  bool has_offset;     // false if an offset makes no sense; `offset` is then 0
  uint64_t offset;     // in bytes from the start of the target
  char path[4096];     // "" if the failure has no path
  char message[5120];  // "write /data/run.bin at byte 1048576: No space left on device"
} sluice_error;

// ---- Options ----

// What happens to a file that exists already.
enum sluice_create {
  SLUICE_TRUNCATE,            // CreateMode::truncate
  SLUICE_APPEND,              // CreateMode::append
  SLUICE_EXCLUSIVE,           // CreateMode::exclusive
  SLUICE_REPLACE_ATOMICALLY,  // CreateMode::replace_atomically
  SLUICE_EXISTING             // CreateMode::existing
};
// What survives a power cut.
enum sluice_durability {
  SLUICE_NOT_DURABLE,          // Durability::none
  SLUICE_DURABLE_ON_CLOSE,     // Durability::on_close
  SLUICE_DURABLE_EVERY_FLUSH,  // Durability::every_flush
  SLUICE_DURABLE_EVERY_WRITE   // Durability::every_write
};
// How far sluice_flush() takes the bytes.
enum sluice_flush_to {
  SLUICE_TO_OS,      // FlushTo::os
  SLUICE_TO_STORAGE  // FlushTo::storage
};
// Whether a thread of the engine writes full blocks.
enum sluice_write_behind {
  SLUICE_WRITE_BEHIND_AUTOMATIC,  // WriteBehind::automatic
  SLUICE_WRITE_BEHIND_OFF,        // WriteBehind::off
  SLUICE_WRITE_BEHIND_ON          // WriteBehind::on
};
// Whether a Reader advises the kernel to read ahead.
enum sluice_read_ahead {
  SLUICE_READ_AHEAD_AUTOMATIC,  // ReadAhead::automatic
  SLUICE_READ_AHEAD_OFF         // ReadAhead::off
};
// How a Journal tells where a record begins and ends.
enum sluice_framing {
  SLUICE_RAW,           // Framing::raw
  SLUICE_LENGTH_CRC32C  // Framing::length_crc32c
};

// See WriterOptions.
typedef struct sluice_writer_options {
  size_t bytes;             // the size of this struct
  int create;               // an enum sluice_create
  int durability;           // an enum sluice_durability
  int write_behind;         // an enum sluice_write_behind
  unsigned permissions;     // of a file that is created
  size_t block_bytes;       // the size up to which a block grows
  size_t blocks_in_flight;  // how many blocks may wait for write-behind
  size_t write_back_bytes;  // see WriterOptions::write_back_bytes
} sluice_writer_options;
// The defaults.
#define SLUICE_WRITER_OPTIONS_INIT                                               \
  {                                                                              \
    sizeof(sluice_writer_options), SLUICE_TRUNCATE, SLUICE_NOT_DURABLE,          \
        SLUICE_WRITE_BEHIND_AUTOMATIC, 0666, SLUICE_C_CAST(size_t, 262144), 3, 0 \
  }

// See ReaderOptions.
typedef struct sluice_reader_options {
  size_t bytes;             // the size of this struct
  int read_ahead;           // an enum sluice_read_ahead
  size_t block_bytes;       // the size up to which a block grows
  uint64_t max_line_bytes;  // a longer line fails with EMSGSIZE
} sluice_reader_options;
// The defaults.
#define SLUICE_READER_OPTIONS_INIT \
  { sizeof(sluice_reader_options), SLUICE_READ_AHEAD_AUTOMATIC, 262144, 1073741824 }

// See JournalOptions.
typedef struct sluice_journal_options {
  size_t bytes;          // the size of this struct
  int framing;           // an enum sluice_framing
  unsigned permissions;  // of a file that is created
  size_t buffer_bytes;   // how many appended bytes may wait unwritten
} sluice_journal_options;
// The defaults.
#define SLUICE_JOURNAL_OPTIONS_INIT \
  { sizeof(sluice_journal_options), SLUICE_LENGTH_CRC32C, 0666, 1048576 }

// See CopyOptions.
typedef struct sluice_copy_options {
  size_t bytes;     // the size of this struct
  int create;       // an enum sluice_create
  int durability;   // an enum sluice_durability
  int permissions;  // -1 stands for the permissions of the file that is copied
} sluice_copy_options;
// The defaults.
#define SLUICE_COPY_OPTIONS_INIT \
  { sizeof(sluice_copy_options), SLUICE_TRUNCATE, SLUICE_NOT_DURABLE, -1 }

// ---- Sinks and Sources of the program's own ----

// A target of the program's own: see sluice/sink.h for what each call must do. Begin with the
// initialiser. `context` is passed to every call. Each call returns 0 or an errno value. Only
// `write` must be set; a call that is NULL does what the comment beside it says.
typedef struct sluice_sink {
  size_t bytes;      // the size of this struct
  const char* name;  // used in messages; copied by the open call; must be set
  void* context;     // passed to every call
  // Writes the bytes at `position`, and sets *written to the number of bytes that reached the
  // target, also if it fails. `data` is never NULL. The Writer calls write_at() with 0 bytes to ask
  // whether there are positions.
  int (*write)(void* context, uint64_t position, const void* data, size_t bytes, size_t* written);
  int (*write_at)(void* context, uint64_t position, const void* data, size_t bytes,
                  size_t* written);               // NULL: fails with ESPIPE
  int (*seek)(void* context, uint64_t position);  // NULL: fails with ESPIPE
  int (*sync)(void* context);                     // NULL: fails with ENOTSUP
  int (*publish)(void* context);                  // not NULL: nothing shows before this call
  int (*close)(void* context);                    // NULL: succeeds
  // NULL: does nothing. Called once, after all other calls: by sluice_writer_free(), or by an open
  // call that fails.
  void (*release)(void* context);
  uint64_t start_position;   // the position of the first byte: see Sink::start_position
  bool wants_lines;          // true: each line is written at once
  bool allows_write_behind;  // true: a thread of the engine may call `write`
} sluice_sink;
// A Sink with no call set.
#define SLUICE_SINK_INIT \
  { sizeof(sluice_sink), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, false, false }

// A source of the program's own: see sluice/source.h. The rules of sluice_sink hold. Only `name`
// and `read` must be set.
typedef struct sluice_source {
  size_t bytes;      // the size of this struct
  const char* name;  // used in messages; copied by the open call; must be set
  void* context;     // passed to every call
  // Fetches up to `bytes` bytes from `position` on, and sets *got. The end is a *got of 0.
  int (*read)(void* context, uint64_t position, void* into, size_t bytes, size_t* got);
  int (*seek)(void* context, uint64_t position);     // NULL: fails with ESPIPE
  int (*size)(void* context, uint64_t* size_bytes);  // NULL: fails with ESPIPE
  int (*close)(void* context);                       // NULL: succeeds
  void (*release)(void* context);                    // NULL: does nothing
  bool reads_anywhere;                               // see Source::reads_anywhere
} sluice_source;
// A Source with no call set.
#define SLUICE_SOURCE_INIT \
  { sizeof(sluice_source), NULL, NULL, NULL, NULL, NULL, NULL, NULL, false }

// ---- Numbers as text ----

// The formats of std::chars_format. A negative `precision` stands for the fewest digits that read
// back as this number. Any other format is a mistake of the program: the Writer fails with EINVAL.
enum sluice_number_format {
  SLUICE_GENERAL,     // std::chars_format::general
  SLUICE_FIXED,       // std::chars_format::fixed
  SLUICE_SCIENTIFIC,  // std::chars_format::scientific
  SLUICE_HEX          // std::chars_format::hex
};

// ---- Journal ----

// The bytes that sluice_journal_open() found in a file that existed: see Recovered.
typedef struct sluice_recovered {
  uint64_t whole_bytes;  // bytes up to the end of the last whole record
  uint64_t records;      // records in whole_bytes
  uint64_t torn_bytes;   // bytes after whole_bytes
  char torn_path[4352];  // "" if nothing was cut off
} sluice_recovered;

#ifdef __cplusplus
}
#endif
