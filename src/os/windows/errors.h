// The errno values that stand for the errors of Windows.
#pragma once

#include "os/system_calls.h"

namespace sluice::os {

int errno_of(unsigned long error) noexcept;

// -errno for the error of the last call that failed in this thread.
CallResult last_error() noexcept;

// The NTSTATUS of the last call of this thread. It tells apart what GetLastError() does not.
enum class LastStatus : std::uint8_t { other, is_directory, delete_pending };
LastStatus last_status() noexcept;

// 0 if the call of Windows succeeded.
inline CallResult result_of(int succeeded) noexcept { return succeeded != 0 ? 0 : last_error(); }

}  // namespace sluice::os
