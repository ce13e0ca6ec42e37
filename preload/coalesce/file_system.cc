#include "file_system.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include "keep_errno.h"

namespace sluice::preload {
namespace {

// statfs(2) has these numbers, <linux/magic.h> does not.
constexpr unsigned long bcachefs_magic = 0xca451a4e;
constexpr unsigned long jfs_magic = 0x3153464a;
constexpr unsigned long ntfs_magic = 0x7366746e;
constexpr unsigned long zfs_magic = 0x2fc12fc1;

constexpr unsigned long storing[] = {
    EXT4_SUPER_MAGIC,  // ext2 and ext3 have this number too
    XFS_SUPER_MAGIC,   BTRFS_SUPER_MAGIC,     TMPFS_MAGIC,
    RAMFS_MAGIC,       OVERLAYFS_SUPER_MAGIC, F2FS_SUPER_MAGIC,
    zfs_magic,         bcachefs_magic,        jfs_magic,
    NILFS_SUPER_MAGIC, REISERFS_SUPER_MAGIC,  NFS_SUPER_MAGIC,
    MSDOS_SUPER_MAGIC, EXFAT_SUPER_MAGIC,     ntfs_magic,
};

}  // namespace

bool writes_only_store(int descriptor) {
  const KeepErrno kept;
  struct statfs facts {};
  if (fstatfs(descriptor, &facts) != 0) return false;
  const unsigned long magic = static_cast<unsigned long>(facts.f_type) & 0xffffffff;
  for (const unsigned long one : storing) {
    if (magic == one) return true;
  }
  return false;
}

}  // namespace sluice::preload
