// The calls of os::SystemCalls that Windows does not have. Their callers go on without them.
#include "os/system_calls.h"

namespace sluice::os {

CallResult SystemCalls::fixed_attributes(int, std::uint64_t& attributes) {
  attributes = 0;
  return 0;
}

CallResult SystemCalls::set_status_flags(int, int) { return -ENOTSUP; }

CallResult SystemCalls::direct_alignment(int, std::size_t& memory_bytes, std::size_t& file_bytes) {
  memory_bytes = file_bytes = 0;
  return 0;
}

CallResult SystemCalls::open_read_queue(std::uint64_t&) { return -ENOTSUP; }

CallResult SystemCalls::begin_read(std::uint64_t, int, void*, std::size_t, std::uint64_t) {
  return -ENOTSUP;
}

CallResult SystemCalls::finish_read(std::uint64_t, CallResult&) { return -ENOTSUP; }

CallResult SystemCalls::close_read_queue(std::uint64_t) { return -ENOTSUP; }

CallResult SystemCalls::fchmod(int, unsigned) { return -ENOTSUP; }

CallResult SystemCalls::fchown(int, uid_t, gid_t) { return -ENOTSUP; }

CallResult SystemCalls::list_attributes(int, char*, std::size_t) { return -ENOTSUP; }

CallResult SystemCalls::get_attribute(int, const char*, void*, std::size_t) { return -ENOTSUP; }

CallResult SystemCalls::set_attribute(int, const char*, const void*, std::size_t) {
  return -ENOTSUP;
}

CallResult SystemCalls::remove_attribute(int, const char*) { return -ENOTSUP; }

CallResult SystemCalls::clone_file(int, int) { return -ENOTSUP; }

CallResult SystemCalls::copy_range(int, int, std::uint64_t, std::size_t) { return -ENOTSUP; }

CallResult SystemCalls::seek_data(int, std::uint64_t) { return -ENOTSUP; }

CallResult SystemCalls::seek_hole(int, std::uint64_t) { return -ENOTSUP; }

CallResult SystemCalls::poll(int, short, int) { return -ENOTSUP; }

// Advice that is not followed.
CallResult SystemCalls::will_read_in_sequence(int) { return 0; }

CallResult SystemCalls::forget_cached(int, std::uint64_t, std::uint64_t) { return 0; }

CallResult SystemCalls::advise_huge_pages(void*, std::size_t) { return 0; }

CallResult SystemCalls::populate(void*, std::size_t) { return 0; }

// Windows has no signals that a write could cause.
CallResult SystemCalls::block_signal(int, bool& was_blocked) {
  was_blocked = false;
  return 0;
}

CallResult SystemCalls::unblock_signal(int) { return 0; }

CallResult SystemCalls::is_signal_waiting(int) { return 0; }

CallResult SystemCalls::take_signal(int) { return -EAGAIN; }

}  // namespace sluice::os
