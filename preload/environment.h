// The environment: the program sees its own, and what it starts is covered as well.
#pragma once

#include <alloca.h>
#include <stddef.h>

namespace sluice::preload {

// Takes what the command has added to the environment out of it again. To be called once, before
// the program runs.
void hide_from_program();

// The variable's value as the command has set it; nullptr without it.
const char* hidden_options();

// Whether another command of ours, which the program has started, has put its own object into
// `environment`: what it starts is left to it.
bool is_covered_already(char* const* environment);

// How many bytes covered_environment() needs for `environment`.
size_t covered_environment_bytes(char* const* environment);

// `environment` with what makes the loader load this object; in `memory`, which lies on the
// caller's stack, since between vfork and exec nothing else may be changed. Any thread.
char** covered_environment(char* const* environment, void* memory);

}  // namespace sluice::preload
