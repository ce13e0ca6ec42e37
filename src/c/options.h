// The options of the C interface, checked and converted.
#pragma once

#include <optional>
#include <string_view>

#include "sluice/c.h"
#include "sluice/copy.h"
#include "sluice/options.h"
#include "sluice/status.h"

namespace sluice::c {

// Converts the caller's options; null stands for the defaults. `path` is used in messages. A
// failure has EINVAL, and names the member.
Status take_options(std::string_view path, const sluice_writer_options* given,
                    WriterOptions& options) noexcept;
Status take_options(std::string_view path, const sluice_reader_options* given,
                    ReaderOptions& options) noexcept;
Status take_options(std::string_view path, const sluice_journal_options* given,
                    JournalOptions& options) noexcept;
Status take_options(std::string_view path, const sluice_copy_options* given,
                    CopyOptions& options) noexcept;

// Fails with EINVAL if the size that the caller's struct says is not the size that this library
// knows. `initialiser` is the name of the macro with which the struct should begin.
Status check_struct(std::string_view path, std::size_t given_bytes, std::size_t bytes,
                    std::string_view initialiser) noexcept;

// Fails with ENOTSUP if the program's header has another window than this library.
Status check_window(std::string_view path, unsigned window) noexcept;

// Fails with EINVAL if a choice is not a number from 0 to `last`.
Status check_choice(std::string_view path, std::string_view option, int choice, int last,
                    Operation operation = Operation::open) noexcept;

}  // namespace sluice::c
