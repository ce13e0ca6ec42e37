#include <cerrno>
#include <climits>

#include "stdio/descriptor.h"
#include "stdio/stream.h"

namespace sluice::stdio {
namespace {

bool find_end(Stream& stream, std::int64_t& end) {
  if (stream.is_regular && find_size(stream.descriptor, end)) return true;
  end = seek(stream.descriptor, 0, SEEK_END);
  if (end >= 0) stream.kernel_position = end;
  return end >= 0;
}

bool find_target(Stream& stream, std::int64_t offset, int whence, std::int64_t& target) {
  std::int64_t base = 0;
  const bool ok = whence == SEEK_CUR ? find_position(stream, base) : learn_offset(stream);
  if (!ok) return false;  // also ESPIPE
  if (whence == SEEK_END && !find_end(stream, base)) return false;
  // As with the C library, a position that is too large is EINVAL too, and not POSIX's EOVERFLOW.
  if (!__builtin_add_overflow(base, offset, &target) && target >= 0) return true;
  errno = EINVAL;
  return false;
}

// As with glibc, a seek that fails takes the bytes of ungetc() away.
void forget_pushed_back(Stream& stream) {
  if (stream.file.read_cursor >= stream.data_begin || stream.is_writing) return;
  stream.file.read_cursor = stream.data_begin;
}

// A program that goes back to the beginning may then let a child read the descriptor, as a program
// does that prepares the input of another one. So the descriptor's offset goes there too.
bool move_offset_to_beginning(Stream& stream) {
  if (stream.kernel_position == 0) return true;
  if (seek(stream.descriptor, 0, SEEK_SET) < 0) return false;
  stream.kernel_position = 0;
  return true;
}

bool move_in_block(Stream& stream, std::int64_t target) {
  const std::int64_t back = stream.data_position - target;
  if (stream.is_synchronized || stream.is_volatile || stream.reads_again) return false;
  if (stream.buffering == Buffering::none || stream.translates) return false;
  if (!stream.readable || back < 0 || back > stream.data_end - stream.data_begin) return false;
  if (stream.data_begin == stream.data_end) return false;
  stream.file.read_cursor = stream.data_end - back;
  return true;
}

// Each file system has a greatest position of its own, and none is known to have a smaller one than
// this. Only the kernel knows whether a position beyond it is too large.
constexpr std::int64_t greatest_sure_position = 0xffffffff;

// A descriptor whose offset is the program's position keeps it so: see fflush() in POSIX. The
// offset of a stream without a buffer is always the program's position.
bool move_away(Stream& stream, std::int64_t target) {
  const bool in_step = stream.data_begin == stream.data_end &&
                       stream.file.read_cursor == stream.data_end &&
                       stream.kernel_position == stream.data_position;
  const bool keeps_offset = in_step || stream.buffering == Buffering::none;
  // After fflush() other users of the descriptor may have moved its offset, and POSIX lets the
  // program come back by a seek.
  const bool must_move = stream.is_synchronized || target > greatest_sure_position;
  if (must_move || (keeps_offset && stream.kernel_position != target)) {
    if (seek(stream.descriptor, target, SEEK_SET) < 0) return false;
    stream.kernel_position = target;
  }
  drop_data(stream, target);
  stream.fetch_bytes = first_fetch_bytes;
  return true;
}

}  // namespace
}  // namespace sluice::stdio

using namespace sluice::stdio;  // NOLINT(google-build-using-namespace): the C names are global

int sluice_stdio_fseeko(sluice_FILE* file, int64_t offset, int whence) {
  Stream& stream = stream_of(file);
  if (!start(stream) || !end_writing(stream)) return -1;
  if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END) {
    errno = EINVAL;
    return -1;
  }
  std::int64_t target = 0;
  if (!find_target(stream, offset, whence, target)) {
    forget_pushed_back(stream);
    return -1;
  }
  if (!move_in_block(stream, target) && !move_away(stream, target)) return -1;
  if (target == 0 && !move_offset_to_beginning(stream)) return -1;
  stream.at_end = stream.reads_again = false;
  return 0;
}

int sluice_stdio_fseek(sluice_FILE* file, long offset, int whence) {
  return sluice_stdio_fseeko(file, offset, whence);
}

int64_t sluice_stdio_ftello(sluice_FILE* file) {
  std::int64_t position = 0;
  return find_position(stream_of(file), position) ? position : -1;
}

long sluice_stdio_ftell(sluice_FILE* file) {
  const std::int64_t position = sluice_stdio_ftello(file);
  if (position <= LONG_MAX) return static_cast<long>(position);
  errno = EOVERFLOW;
  return -1;
}

void sluice_stdio_rewind(sluice_FILE* file) {
  sluice_stdio_fseeko(file, 0, SEEK_SET);
  sluice_stdio_clearerr(file);
}

int sluice_stdio_fgetpos(sluice_FILE* file, sluice_fpos_t* position) {
  position->position = sluice_stdio_ftello(file);
  return position->position < 0 ? -1 : 0;
}

int sluice_stdio_fsetpos(sluice_FILE* file, const sluice_fpos_t* position) {
  return sluice_stdio_fseeko(file, position->position, SEEK_SET);
}
