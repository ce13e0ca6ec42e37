// The environment: the program sees its own, and the programs that it starts are covered as well.
#pragma once

#include <alloca.h>
#include <stddef.h>

namespace sluice::preload {

// Removes what the command has added to the environment. To be called once, before the program
// runs.
void hide_from_program();

// The variable's value as the command has set it; nullptr if it has not.
const char* hidden_options();

// True if another sluice command, which the program has started, has put its own object into
// `environment`: the programs that it starts are left to it.
bool is_covered_already(char* const* environment);

// True if the loader of a program that this process starts now, or becomes, can read this object.
// Otherwise the loader would complain of it on standard error: the process has changed its root
// folder or its mounts, has become a user who may not read the file, or has no descriptor left.
// Also false for a process whose programs the loader protects from preloaded objects. Any thread.
bool can_be_preloaded();

// The number of bytes that covered_environment() needs for `environment`.
size_t covered_environment_bytes(char* const* environment);

// Gives `environment` with the entries that make the loader load this object. `memory` lies on the
// caller's stack, because between vfork and exec nothing else may be changed. Any thread.
char** covered_environment(char* const* environment, void* memory);

}  // namespace sluice::preload
