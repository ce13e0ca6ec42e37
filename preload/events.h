// What each preloaded object has to do when the program starts another process or ends.
#pragma once

namespace sluice::preload {

// Everything that is open may be inherited and used by the other process from now on.
void before_another_process();

// Something is about to run in the program's memory that pthread_create() did not start.
void before_sharing_memory();

// The program ends without cleaning up, or becomes another.
void before_ending();

// The same may come of what is to be done now; or it lives on.
void before_what_may_end();

// It could not become another.
void after_failed_exec();

// Programs that the program starts get the object as well.
bool children_are_covered();

}  // namespace sluice::preload
