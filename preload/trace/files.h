// Finds in the log which file a descriptor stands for.
#pragma once

#include <fcntl.h>
#include <stdint.h>

#include "log.h"

namespace sluice::preload {

// Memory for a name. A small stack would have no room for it.
struct FileName {
  char text[4096];
};

// The entry of the log for all files that have none of their own.
inline constexpr uint32_t other_files = max_files - 1;

// Adds the kind and the flags of a file to the entry other_files.
void note_other_file(uint32_t kind, uint32_t flags);

// The file's place in the log, found when the descriptor is first used.
uint32_t file_of(int descriptor, FileName& room);

// The file's place, or 0 if it has not been looked up.
uint32_t known_file_of(int descriptor);

// The descriptor was closed, or stands for another file now, so its next use looks the file up.
void forget_descriptor(int descriptor);

// How a program names a file.
struct Name {
  const char* text = nullptr;  // nullptr if it is not known
  int folder = AT_FDCWD;       // in which the call looks for it
  bool is_no_link = false;     // the call takes no link of this name
};

// A call that opens a file of this name has returned this descriptor.
void file_opened(int descriptor, const Name& as, FileName& room);

// Another process, a copied descriptor or a mapping may lead to the file: `sluice run --coalesce`
// does not hold its writes.
void note_shared(uint32_t file);

// Another process may have inherited every open file. Costs next to nothing if no file was opened
// since it was called before.
void note_shared_files();

// The descriptor `copy` stands for the same file as `descriptor` now.
void descriptor_copied(int descriptor, int copy);

// Notes how the descriptor was opened. To be called when it is first written to, and when its flags
// have changed.
void note_flags(int descriptor);

// Like forget_descriptor(), for all descriptors from `first` to `last`.
void forget_descriptors(unsigned first, unsigned last);

// Notes the size of the file, before the program cuts it.
void look_at_size(int descriptor);

// The same for all files that are open, before the program ends.
void look_at_sizes();

// To be called in a forked child: it has the descriptors of its parent, but its log does not know
// them yet.
void forget_all_descriptors();

}  // namespace sluice::preload
