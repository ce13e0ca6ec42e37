// The name and the properties of each kind of system call.
#include <array>
#include <cstddef>
#include <string_view>

#include "testing/faulty_system_calls.h"

namespace sluice::testing {
namespace {

constexpr std::array<std::string_view, call_kinds> names = {"open",
                                                            "close",
                                                            "duplicate",
                                                            "read",
                                                            "pread",
                                                            "writev",
                                                            "pwritev",
                                                            "fstat",
                                                            "stat",
                                                            "seek_current",
                                                            "seek_to",
                                                            "seek_end",
                                                            "status_flags",
                                                            "set_status_flags",
                                                            "direct_alignment",
                                                            "open_read_queue",
                                                            "begin_read",
                                                            "finish_read",
                                                            "close_read_queue",
                                                            "name_of",
                                                            "is_terminal",
                                                            "fdatasync",
                                                            "fsync",
                                                            "sync_file_range",
                                                            "openat",
                                                            "read_directory",
                                                            "renameat",
                                                            "unlinkat",
                                                            "link_target",
                                                            "fixed_attributes",
                                                            "fchmod",
                                                            "fchown",
                                                            "list_attributes",
                                                            "get_attribute",
                                                            "set_attribute",
                                                            "remove_attribute",
                                                            "clone_file",
                                                            "copy_range",
                                                            "seek_data",
                                                            "seek_hole",
                                                            "random_bytes",
                                                            "truncate",
                                                            "lock",
                                                            "unlock",
                                                            "will_read_in_sequence",
                                                            "forget_cached",
                                                            "poll",
                                                            "map_file",
                                                            "map_memory",
                                                            "remap_memory",
                                                            "unmap",
                                                            "advise_huge_pages",
                                                            "populate",
                                                            "processors",
                                                            "start_thread",
                                                            "join_thread",
                                                            "block_signal",
                                                            "unblock_signal",
                                                            "is_signal_waiting",
                                                            "take_signal"};

}  // namespace

std::string_view to_string(Call call) { return names[static_cast<std::size_t>(call)]; }

bool is_transfer(Call call) {
  return call == Call::read || call == Call::pread || call == Call::writev ||
         call == Call::pwritev || call == Call::copy_range;
}

bool can_fail(Call call) {
  switch (call) {
    case Call::close_read_queue:
    case Call::is_terminal:
    case Call::unmap:
    case Call::processors:
    case Call::join_thread:
    case Call::block_signal:
    case Call::unblock_signal:
    case Call::is_signal_waiting:
    case Call::take_signal: return false;
    default: return true;
  }
}

bool can_be_interrupted(Call call) {
  switch (call) {
    case Call::open:
    case Call::openat:
    case Call::fstat:
    case Call::stat:
    case Call::read_directory:
    case Call::fdatasync:
    case Call::fsync:
    case Call::sync_file_range:
    case Call::finish_read:
    case Call::renameat:
    case Call::unlinkat:
    case Call::fchmod:
    case Call::fchown:
    case Call::list_attributes:
    case Call::get_attribute:
    case Call::set_attribute:
    case Call::remove_attribute:
    case Call::clone_file:
    case Call::random_bytes:
    case Call::truncate:
    case Call::lock:
    case Call::unlock:
    case Call::poll:
    case Call::take_signal: return true;
    default: return is_transfer(call);
  }
}

}  // namespace sluice::testing
