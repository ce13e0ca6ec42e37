// The options that `sluice run` and `sluice trace` give to the object that they preload.
//
// Both sides include this file: the command writes the variable, the object reads and removes it.
#pragma once

namespace sluice::preload {

// Words separated by commas, for instance "unlocked,no-children,logs=/tmp/x". The words "unlocked"
// and "sizes" make the field of this name true, "no-children" makes `children` false, and
// "logs=FOLDER" sets `logs`. `logs` comes last, because a path may contain commas.
inline constexpr char options_variable[] = "SLUICE_PRELOAD_OPTIONS";

struct Options {
  bool unlocked = false;  // never take a stream's lock
  bool sizes = false;     // trace: the sequence of write sizes is kept
  bool children = false;  // the loader puts the object into the programs that the program starts
  const char* logs = "";  // the folder for logs; empty: no logs are kept. Points into the words
};

}  // namespace sluice::preload
