// What a failure of Arrow means, and what a message says of it.
#pragma once

#include <arrow/status.h>

#include <string>

namespace sluice::object {

// The value of errno that a program can act on.
int code_of(const arrow::Status& result);

// On one line, without credentials, and without the names that the message has anyway.
std::string reason_of(const arrow::Status& result);

// The same of a text that came as an exception.
std::string clean_reason(std::string text);

}  // namespace sluice::object
