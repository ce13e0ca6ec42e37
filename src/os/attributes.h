// What a file has besides its bytes: owner, permissions, extended attributes.
//
// Every Status has the operation Operation::replace: nothing else passes them on.
#pragma once

#include "os/directory.h"
#include "os/file.h"
#include "sluice/status.h"

namespace sluice::os {

// Gives `to` the owner and the group of `from`.
Status copy_owner(const Entry& from, File& to);

// Gives `to` what copy_owner gives, the extended attributes with the access control list, and the
// permissions without the set-id bits. What vouches for the bytes (security.capability, .ima, .evm)
// is left out: they are other bytes.
Status copy_attributes(const Entry& from, File& to);

// Gives `to` the permissions that the kernel would give a file created in `directory`: as its
// default access control list says, or as the umask does. A umask that cannot be read counts as
// 077.
Status set_new_file_permissions(const Directory& directory, unsigned permissions, File& to);

}  // namespace sluice::os
