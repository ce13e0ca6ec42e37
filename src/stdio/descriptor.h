// What differs between systems: the calls of a stream on its descriptor, and what it needs to know
// of threads, child processes and the end of the program. CMake chooses linux/ or windows/.
//
// A call that fails sets errno and returns a negative number, unless its comment says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stdio/mode.h"

namespace sluice::stdio {

// What a descriptor leads to.
struct Target {
  std::int64_t bytes = 0;
  bool is_regular = true;
  bool is_terminal = false;
  bool may_have_positions = true;
};

// Where a stream that only appends begins: at the end of the file (SEEK_END) with glibc, and with
// Microsoft's C library at the present offset (SEEK_CUR), although it then writes at the end.
extern const int begin_of_append;
// The flag of Mode that keeps a descriptor from programs that exec() starts.
extern const int flags_of_exec;

// Adds the flags of a letter that only this system's fopen() knows. False if the letter makes no
// sense in the mode.
bool parse_letter_of_system(char letter, int& flags);

int open_file(const char* path, const Mode& mode);
// Opens the file of a descriptor once more.
int open_again(int descriptor, const Mode& mode);
// A file without a name, or with a name that goes when the file is closed.
int open_temporary();
// No thread is cancelled in it.
int close_descriptor(int descriptor);
void close_on_exec(int descriptor);
// A copy that programs do not inherit.
int duplicate_for_this_process(int descriptor, const Mode& mode);
// Puts `fresh` in the place of `old`, so that stdout stays descriptor 1, and closes `fresh`. The
// flags alone tell whether programs inherit the descriptor, as with glibc.
int replace_descriptor(int fresh, int old, int flags);
// False with EINVAL if the descriptor does not allow what the mode asks for.
bool fits_descriptor(int descriptor, const Mode& mode);

// A closed descriptor is described as an empty file.
Target look_at(int descriptor);
bool find_size(int descriptor, std::int64_t& bytes);
// True if every write goes to the end of the file.
bool always_appends(int descriptor);
// True if the system's lines end with "\r\n", and the descriptor is one for text.
bool translates_lines(int descriptor);

std::int64_t seek(int descriptor, std::int64_t offset, int whence);
std::ptrdiff_t read_next(int descriptor, void* into, std::size_t bytes);
std::ptrdiff_t write_next(int descriptor, const void* from, std::size_t bytes);
// Writes to the end of the file. If the descriptor does not append itself, it has positions.
std::ptrdiff_t write_at_end(int descriptor, const void* from, std::size_t bytes);
// `offset` is the offset of the descriptor. Where there is no call for a position, these move it.
std::ptrdiff_t read_at(int descriptor, void* into, std::size_t bytes, std::int64_t position,
                       std::int64_t& offset);
std::ptrdiff_t write_at(int descriptor, const void* from, std::size_t bytes, std::int64_t position,
                        std::int64_t& offset);

// Whether printf() now writes a number as in the C locale, rounded to nearest with ties to even.
// A program may choose otherwise by setlocale() and fesetround().
bool numbers_are_plain();
// Whether a step with a long double is exact to 64 bits, rounded to nearest.
bool long_numbers_are_plain();
// True if the flag ' of printf() has no effect.
bool groups_are_plain();
// True if printf() prints a wide character of ASCII as a byte of the same value.
bool wide_ascii_is_plain();

// The text of an error, perhaps in `memory`.
const char* text_of_error(int code, char* memory, std::size_t bytes);
// The last '\n' of these bytes, or null.
const unsigned char* last_newline(const unsigned char* from, std::size_t bytes);

// Makes a call that may wait. If the thread is cancelled in it, clean_up(argument) is called.
std::ptrdiff_t call_with_cleanup(std::ptrdiff_t (*call)(void*), void* call_argument,
                                 void (*clean_up)(void*), void* argument);
// Calls `before` before each fork(), and then the others. True if that is arranged.
bool on_each_fork(void (*before)(), void (*in_parent)(), void (*in_child)());

}  // namespace sluice::stdio
