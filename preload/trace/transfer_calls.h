// The calls that move bytes by a descriptor, except read, write and writev.
//
// X(DIRECTION, DATA, CALL, NAME, PARAMETERS, ARGUMENTS) defines the hook of NAME: DIRECTION is `in`
// or `out`, DATA is `block` (data, bytes) or `pieces` (pieces, count), CALL is the kind of call as
// which it is counted. Each function returns ssize_t.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include "fortified.h"

// clang-format off
#define SLUICE_POSITIONED_CALLS(X, OFFSET, PREAD, PREAD_CHK, PREADV, PREADV2, \
                                PWRITE, PWRITEV, PWRITEV2) \
  X(in, block, pread, PREAD, (int descriptor, void* data, size_t bytes, OFFSET offset), \
    (descriptor, data, bytes, offset)) \
  X(in, block, pread, PREAD_CHK, \
    (int descriptor, void* data, size_t bytes, OFFSET offset, size_t data_bytes), \
    (descriptor, data, bytes, offset, data_bytes)) \
  X(in, pieces, pread, PREADV, \
    (int descriptor, const struct iovec* pieces, int count, OFFSET offset), \
    (descriptor, pieces, count, offset)) \
  X(in, pieces, pread, PREADV2, \
    (int descriptor, const struct iovec* pieces, int count, OFFSET offset, int flags), \
    (descriptor, pieces, count, offset, flags)) \
  X(out, block, pwrite, PWRITE, \
    (int descriptor, const void* data, size_t bytes, OFFSET offset), \
    (descriptor, data, bytes, offset)) \
  X(out, pieces, pwrite, PWRITEV, \
    (int descriptor, const struct iovec* pieces, int count, OFFSET offset), \
    (descriptor, pieces, count, offset)) \
  X(out, pieces, pwrite, PWRITEV2, \
    (int descriptor, const struct iovec* pieces, int count, OFFSET offset, int flags), \
    (descriptor, pieces, count, offset, flags))

#define SLUICE_TRANSFER_CALLS(X) \
  X(in, block, read, __read_chk, \
    (int descriptor, void* data, size_t bytes, size_t data_bytes), \
    (descriptor, data, bytes, data_bytes)) \
  X(in, pieces, read, readv, (int descriptor, const struct iovec* pieces, int count), \
    (descriptor, pieces, count)) \
  SLUICE_POSITIONED_CALLS(X, off_t, pread, __pread_chk, preadv, preadv2, \
                          pwrite, pwritev, pwritev2) \
  SLUICE_POSITIONED_CALLS(X, off64_t, pread64, __pread64_chk, preadv64, preadv64v2, \
                          pwrite64, pwritev64, pwritev64v2)
// clang-format on
