// The tables of this process's log, and the rules for writing to them.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "borrowed_memory.h"
#include "log.h"

// Stands before a table of which a short process uses little. The linker puts these tables behind
// all small variables, which then lie on few pages: each page costs a process microseconds.
#define SLUICE_FAR [[gnu::section(".bss.far")]]

namespace sluice::preload {

// The log, once it has begun. Threads write to entries of their own; new entries are handed out one
// by one.
[[gnu::visibility("hidden")]] extern Log* log;

// The program's name in the log. To be set before the log begins.
[[gnu::visibility("hidden")]] extern const char* program_name;

// The kernel's, once the log has begun; before, no page is smaller.
[[gnu::visibility("hidden")]] extern uint64_t page_bytes;

// True while calls may be recorded: the log has begun, and the process has not entered seccomp.
// Nothing is recorded in a child of vfork(), which has the tables of its parent before it. A
// call that another thread began before that is still written to the log when it ends.
[[gnu::visibility("hidden")]] extern bool recording;
// The question comes first, because a child that has no log stops recording while it is asked.
inline bool is_recording() {
  return !is_child_of_vfork() && __atomic_load_n(&recording, __ATOMIC_RELAXED);
}

// The generation of a descriptor changes whenever the descriptor may have come to lead to another
// file. All generations change before recording begins, when it ends, and before a child of vfork()
// begins. So one comparison tells that what is known of a call still holds. No two descriptors ever
// have the same generation, unless they share their place in the table.
inline constexpr int generations = 256;
[[gnu::visibility("hidden")]] extern uint32_t generation[generations];
inline uint32_t generation_of(int descriptor) {
  return __atomic_load_n(&generation[descriptor & (generations - 1)], __ATOMIC_ACQUIRE);
}
// Changes after each change of a generation. While it is the same, no generation has changed.
[[gnu::visibility("hidden")]] extern uint32_t changes_of_generations;
inline uint32_t generations_now() {
  return __atomic_load_n(&changes_of_generations, __ATOMIC_ACQUIRE);
}
void change_generation(int descriptor);
void change_all_generations();

// True if the command has told this process, or the parent that it was forked from, to stop: then
// nothing is recorded any more. To be asked now and then.
bool is_told_to_stop();

// Maps a new file of zeros in `folder`, whose name ends in `kind`. nullptr if no file can be made.
// Its first bytes may be written to at once, each later page only after has_room() of it. In a
// forked child the file takes the place of `parents`, the file of the parent, which stays there if
// no file can be made. Only a call that a signal handler has interrupted still uses that one.
void* map_new_file(const char* folder, const char* kind, size_t bytes, size_t first_bytes,
                   void* parents);

// True if `bytes` at `data`, in a mapped file, may be written to. If the disk has no room for a
// page, writing to the page would kill the program. So this call reserves room for the pages. Any
// thread and any signal handler may call this.
bool has_room(const void* data, size_t bytes);

// Sets a table of numbers to 0, in a forked child. Pages that were never used stay so: the kernel
// takes back all pages, and gives pages of zeros at the next use.
void clear_bytes(void* table, size_t bytes);
template <typename Entry, size_t count>
void clear_table(Entry (&table)[count]) {
  clear_bytes(table, sizeof table);
}

// Creates the log in `folder`, also in a forked child. Without a log nothing is kept.
void begin_recording(const char* folder);

// Stores the present times.
void refresh_recording();

// end_before_seccomp(): from now on the kernel may end the process for a system call that the
// recorder makes. resume_without_seccomp(): the kernel has refused seccomp.
void end_before_seccomp();
void resume_without_seccomp(bool was_recording);
bool has_entered_seccomp();

// Each returns the place of a new entry. If there is none left, it returns the last place.
uint32_t new_usage();
uint32_t new_site();
uint32_t new_file();

// Leaves the module out if there is no room for one more. The log then says so.
void keep_module(const Module& module);

// Stores `text` in the log and returns its place.
uint32_t keep_text(const char* text);

uint64_t clock_ns(clockid_t clock);
uint64_t now_ns();
uint64_t processor_ns();  // of this thread

// The time for which the process's first thread was ready to run and had no processor, since the
// log began. 0 if the program has no descriptor left for the question.
uint64_t queued_ns();

// Adds to the stretch of time that contains `at_ns`. The program has run at least until `until_ns`.
void add_to_moment(uint64_t at_ns, uint64_t until_ns, const Moment& added);

}  // namespace sluice::preload
