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
  char path[4096];     // a name in parentheses, such as "(NULL)", if the failure has no path
  char message[5120];  // "write /data/run.bin at byte 1048576: No space left on device"
} sluice_error;

// ---- Options ----

// How opening treats a file that exists already: see CreateMode.
enum sluice_create {
  SLUICE_TRUNCATE,            // opening removes the file's old bytes
  SLUICE_APPEND,              // every block goes to the present end of the file
  SLUICE_EXCLUSIVE,           // opening fails with EEXIST if the file exists
  SLUICE_REPLACE_ATOMICALLY,  // closing puts a new file in the place of the old file
  SLUICE_EXISTING             // the file keeps its bytes; opening fails if there is no file
};
// Which bytes survive a power cut: see Durability.
enum sluice_durability {
  SLUICE_NOT_DURABLE,          // a power cut may lose any byte
  SLUICE_DURABLE_ON_CLOSE,     // if close returns true, every byte survives a power cut
  SLUICE_DURABLE_EVERY_FLUSH,  // if a flush returns true, the bytes before it survive a power cut
  SLUICE_DURABLE_EVERY_WRITE   // if a write returns true, its bytes survive a power cut
};
// How far sluice_flush() takes the bytes.
enum sluice_flush_to {
  SLUICE_TO_OS,      // the bytes become visible: other processes can read them
  SLUICE_TO_STORAGE  // the bytes become durable: they survive a power cut
};
// Whether one of the library's own threads writes full blocks: see WriteBehind.
enum sluice_write_behind {
  SLUICE_WRITE_BEHIND_AUTOMATIC,  // the library's threads write full blocks if this is faster
  SLUICE_WRITE_BEHIND_OFF,        // the thread that fills a block writes it
  SLUICE_WRITE_BEHIND_ON          // the library's threads write full blocks if the Sink allows it
};
// Whether bytes are read ahead of a Reader: see ReadAhead.
enum sluice_read_ahead {
  SLUICE_READ_AHEAD_AUTOMATIC,  // the Reader tells the kernel to fetch further ahead
  SLUICE_READ_AHEAD_OFF         // the Reader gives no advice, and reads no block ahead
};
// Whether a file's pages stay in the kernel's cache: see Cache.
enum sluice_cache {
  SLUICE_CACHE_KEEP,  // the pages stay until the kernel needs their memory
  SLUICE_CACHE_DROP   // the pages leave the cache behind the Writer or the Reader
};
// Whether bytes go between the program's memory and the disk directly: see Direct.
enum sluice_direct {
  SLUICE_DIRECT_OFF,         // bytes go through the kernel's cache
  SLUICE_DIRECT_ON,          // opening fails if the file has no direct I/O
  SLUICE_DIRECT_IF_POSSIBLE  // a file without direct I/O is written or read through the cache
};
// How a Journal tells where a record begins and ends.
enum sluice_framing {
  SLUICE_RAW,           // the file holds the bytes of the records and nothing else
  SLUICE_LENGTH_CRC32C  // each record has its length and a checksum
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
  int cache;                // an enum sluice_cache
  int direct;               // an enum sluice_direct
} sluice_writer_options;
// The defaults.
#define SLUICE_WRITER_OPTIONS_INIT                                                \
  {                                                                               \
    sizeof(sluice_writer_options), SLUICE_TRUNCATE, SLUICE_NOT_DURABLE,           \
        SLUICE_WRITE_BEHIND_AUTOMATIC, 0666, SLUICE_C_CAST(size_t, 262144), 3, 0, \
        SLUICE_CACHE_KEEP, SLUICE_DIRECT_OFF                                      \
  }

// See ReaderOptions.
typedef struct sluice_reader_options {
  size_t bytes;             // the size of this struct
  int read_ahead;           // an enum sluice_read_ahead
  size_t block_bytes;       // the size up to which a block grows
  uint64_t max_line_bytes;  // a longer line fails with EMSGSIZE
  int cache;                // an enum sluice_cache
  int direct;               // an enum sluice_direct
} sluice_reader_options;
// The defaults.
#define SLUICE_READER_OPTIONS_INIT                                                  \
  {                                                                                 \
    sizeof(sluice_reader_options), SLUICE_READ_AHEAD_AUTOMATIC, 262144, 1073741824, \
        SLUICE_CACHE_KEEP, SLUICE_DIRECT_OFF                                        \
  }

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
// initialiser. `context` is passed to every call. `name` and `write` must be set. Each other
// call may be NULL: the comment beside it says what happens then. Each call but `release` returns 0
// or an errno value.
typedef struct sluice_sink {
  size_t bytes;      // the size of this struct
  const char* name;  // used in messages; copied by the open call; must be set
  void* context;     // passed to every call
  // Writes the bytes at `position`, and sets *written to the number of bytes that reached the
  // target, even if it fails. `data` is never NULL.
  int (*write)(void* context, uint64_t position, const void* data, size_t bytes, size_t* written);
  // Writes the bytes over those at `position`. With 0 bytes the call changes nothing, and tells
  // whether the target has positions.
  int (*write_at)(void* context, uint64_t position, const void* data, size_t bytes,
                  size_t* written);               // NULL: fails with ESPIPE
  int (*seek)(void* context, uint64_t position);  // NULL: fails with ESPIPE
  int (*sync)(void* context);                     // NULL: fails with ENOTSUP
  // publish() makes the written bytes appear in the target, in one step. If `publish` is NULL, the
  // bytes appear as `write` writes them. If `publish` is set, nothing may appear before the call of
  // publish().
  int (*publish)(void* context);
  int (*close)(void* context);  // NULL: succeeds
  // NULL: does nothing. Called once, after all other calls: by sluice_writer_free(), or by an open
  // call that fails. But an open call that refuses the struct because of its layout (ENOTSUP, or
  // EINVAL because of `bytes`) calls nothing, not even this.
  void (*release)(void* context);
  uint64_t start_position;   // the position of the first byte: see Sink::start_position
  bool wants_lines;          // true: each line is written as soon as it is complete
  bool allows_write_behind;  // true: one of the library's own threads may call `write`
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
  // Fetches up to `bytes` bytes from `position` on, and sets *got. The end is a *got of 0. If the
  // call fails, *got has no meaning and the bytes are dropped. A source that has fetched some bytes
  // before it fails returns 0 with these bytes, and fails in the next call.
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

// The formats of std::chars_format, for the calls whose names end in _in_format. Any other format
// is a mistake of the program: the Writer or Reader fails with EINVAL. In the calls that write, a
// negative `precision` stands for the fewest digits that read back as the same number.
enum sluice_number_format {
  SLUICE_GENERAL,     // std::chars_format::general
  SLUICE_FIXED,       // std::chars_format::fixed
  SLUICE_SCIENTIFIC,  // std::chars_format::scientific
  SLUICE_HEX          // std::chars_format::hex
};

// ---- Journal ----

// The bytes that sluice_journal_open() found in a file that existed: see Recovered.
typedef struct sluice_recovered {
  // Bytes up to the end of the last whole record, and of the Journal's marks after it. With
  // SLUICE_RAW, all bytes.
  uint64_t whole_bytes;
  uint64_t records;      // records in whole_bytes
  uint64_t torn_bytes;   // bytes after whole_bytes
  char torn_path[4352];  // "" if no file was made: see Recovered::torn_path
} sluice_recovered;

#ifdef __cplusplus
}
#endif
