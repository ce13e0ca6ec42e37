// The environment. The program does not see what the command has added to it. The programs that the
// program starts get the additions, so that the loader puts the object into them too: they are
// covered.
#pragma once

#include <stddef.h>

#include "options.h"

namespace sluice::preload {

// Removes what the command has added to the environment, and reads the options from it. To be
// called once, before the program runs.
void hide_from_program();

// The options that the command has given. Without them nothing is put into other programs.
[[gnu::visibility("hidden")]] extern Options policy;

// True if another sluice command, which the program has started, has put its own object into
// `environment`. That command then covers the programs that it starts.
bool is_covered_already(char* const* environment);

// True if the loader of a program that this process starts now, or becomes, can read this object.
// If it cannot, it would print an error message. The reason may be that the process has changed its
// root folder or its mounts, has become a user who may not read the file, is in a sandbox that does
// not let it open the file, or has no descriptor left. Also false if the process's real and
// effective user or group differ, because the loader then ignores preloaded objects. Any thread may
// call this.
bool can_be_preloaded();

// The number of bytes that covered_environment() needs for `environment`.
size_t covered_environment_bytes(char* const* environment);

// Gives `environment` with the entries that make the loader load this object. `memory` lies on the
// caller's stack, because between vfork and exec nothing else may be changed. Any thread may call
// this.
char** covered_environment(char* const* environment, void* memory);

}  // namespace sluice::preload
