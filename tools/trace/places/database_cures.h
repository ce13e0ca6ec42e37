// How each advice about a database is followed. Only the database itself may change its calls, so
// the cures name transactions and settings.
#pragma once

#include "trace/places/cures.h"

namespace sluice::trace::cures {

// Its file is opened again and again, and not that of a transaction's journal.
inline constexpr Cure connected_once = {
    "connected-again",
    "Keep one connection to the database open: open it before the loop and close it behind it, and "
    "not for each question or change."};

inline constexpr Cure sqlite[] = {
    connected_once,
    {"tiny-reads",
     "Let one statement do more of the work, or give SQLite more memory: `PRAGMA cache_size = "
     "-65536` (64 MiB) and `PRAGMA mmap_size`."},
    {"small-buffer",
     "Let one transaction do more of the work, or give SQLite more memory: `PRAGMA cache_size = "
     "-65536` (64 MiB)."},
    {"seek-before-read",
     "Give SQLite more memory: `PRAGMA cache_size = -65536` (64 MiB) and `PRAGMA mmap_size`."},
    {"read-again",
     "If a query goes through a whole table (`EXPLAIN QUERY PLAN` says SCAN), make an index for "
     "it, by `CREATE INDEX`. Or give SQLite more memory: `PRAGMA cache_size = -65536` (64 MiB) "
     "and `PRAGMA mmap_size`."},
    {otherwise,
     "Put many rows into one transaction, `BEGIN` ... `COMMIT`: each transaction has its own "
     "journal and waits for the disk. Many a `SELECT` in one transaction take one lock, and look "
     "for the journal once. If a power cut may lose the latest transactions, use "
     "`PRAGMA journal_mode = WAL` with `PRAGMA synchronous = NORMAL`."},
};
inline constexpr Cure berkeley_db[] = {
    connected_once,
    {otherwise,
     "Put many records into one transaction; if a power cut may lose the latest transactions, use "
     "DB_TXN_WRITE_NOSYNC. A larger cache (`set_cachesize`) reads less. Where a language's module "
     "has neither, as `dbm` of Python, keep the entries in a dict or hash, and store them once, at "
     "the end: that changes what survives a crash."},
};
inline constexpr Cure lmdb[] = {
    connected_once,
    {otherwise,
     "Put many records into one write transaction; if a power cut may lose the latest "
     "transactions, use MDB_NOMETASYNC."},
};
inline constexpr Cure gdbm[] = {
    connected_once,
    {otherwise,
     "Open the database without GDBM_SYNC, and call `gdbm_sync` once for many records. That "
     "changes what survives a power cut. More memory (`gdbm_setopt` with GDBM_SETCACHESIZE) reads "
     "less."},
};
inline constexpr Cure sdbm[] = {
    connected_once,
    {otherwise,
     "Keep the entries in a hash of the program's own, and copy them into that of SDBM once, at "
     "the end: SDBM keeps one page in memory, and writes it for each change. That changes what "
     "survives a crash. `DB_File` and SQLite keep many pages in memory."},
};
inline constexpr Cure postgresql[] = {
    {otherwise,
     "Put many rows into one transaction, `BEGIN` ... `COMMIT`, or use `COPY`; if a crash may lose "
     "the latest transactions, `SET synchronous_commit = off`. More `shared_buffers` read less."},
};
inline constexpr Cure mysql[] = {
    {otherwise,
     "Put many rows into one transaction; if a power cut may lose the latest transactions, set "
     "`innodb_flush_log_at_trx_commit = 2`. A larger `innodb_buffer_pool_size` reads less."},
};
inline constexpr Cure rocksdb[] = {
    connected_once,
    {otherwise,
     "Put many records into one `WriteBatch`; if a power cut may lose the latest ones, leave "
     "`WriteOptions::sync` false. A larger block cache reads less."},
};

}  // namespace sluice::trace::cures
