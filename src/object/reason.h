// What a failure of Arrow means, and what a message says of it.
#pragma once

#include <arrow/status.h>

#include <string>

namespace sluice::object {

// The value of errno that a program can act on.
int code_of(const arrow::Status& result);

// On one line, without credentials, and without the names that the message has anyway.
std::string reason_of(const arrow::Status& result);

// The kind of failure and the request, without the words that say why. For a failure that follows
// another one of its kind, whose words the program knows.
std::string reason_in_short(const arrow::Status& result);

// What reason_of() gives, of a text that came as an exception.
std::string clean_reason(std::string text);

}  // namespace sluice::object
