// The properties of a file besides its bytes: owner, permissions, extended attributes.
//
// Every failure has Operation::replace, because only the replacement of a file copies properties.
#pragma once

#include "os/directory.h"
#include "os/file.h"
#include "sluice/status.h"

namespace sluice::os {

// Gives `to` the owner and the group of `from`.
Status copy_owner(const Entry& from, File& to);

// Gives `to` the owner and group of `from`, its extended attributes with the access control list,
// and its permissions without the set-id bits. Attributes that vouch for the bytes
// (security.capability, .ima, .evm) are left out, because the new file has other bytes.
Status copy_attributes(const Entry& from, File& to);

// Gives `to` the permissions that the kernel would give a file created in `directory`: by the
// directory's default access control list, or else by the umask. A umask that cannot be read counts
// as 077.
Status set_new_file_permissions(const Directory& directory, unsigned permissions, File& to);

}  // namespace sluice::os
