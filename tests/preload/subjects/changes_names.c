// usage: changes_names TIMES FILES
//
// Makes and removes a folder with a few names TIMES times, and looks each of them up. Then lists a
// folder of FILES files. Prints what the calls have returned.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static long list(const char* path) {
  DIR* const folder = opendir(path);
  if (folder == NULL) return -1;
  long names = 0;
  while (readdir(folder) != NULL) ++names;
  return closedir(folder) == 0 ? names : -1;
}

static int make_file(const char* path) {
  const int descriptor = open(path, O_WRONLY | O_CREAT, 0600);
  const int cut = ftruncate(descriptor, 10);
  const int filled = posix_fallocate(descriptor, 0, 20);
  return cut + filled + close(descriptor);
}

static long make_and_remove(void) {
  char text[PATH_MAX];
  long sum = mkdir("folder", 0700) + make_file("folder/file");
  sum += chmod("folder/file", 0640) + chown("folder/file", (uid_t)-1, (gid_t)-1);
  sum += utimensat(AT_FDCWD, "folder/file", NULL, 0);
  sum += link("folder/file", "folder/other") + symlink("file", "folder/symbolic");
  sum += readlink("folder/symbolic", text, sizeof text);
  sum += realpath("folder/symbolic", text) != NULL;
  sum += realpath("gone", text) != NULL;
  sum += rename("folder/other", "folder/renamed") + list("folder") + list("gone");
  sum += unlink("folder/file") + unlink("folder/symbolic") + remove("folder/renamed");
  sum += unlink("gone");
  return sum + rmdir("folder") + rmdir("gone") + errno;
}

int main(int count, char** words) {
  if (count != 3) return 2;
  long sum = 0;
  for (long i = strtol(words[1], NULL, 10); i > 0; --i) sum += make_and_remove();
  if (mkdir("many", 0700) != 0 || chdir("many") != 0) return 1;
  for (long i = strtol(words[2], NULL, 10); i > 0; --i) {
    char name[32];
    snprintf(name, sizeof name, "%020ld", i);
    close(open(name, O_WRONLY | O_CREAT, 0600));
  }
  printf("%ld %ld\n", sum, list("."));
  return 0;
}
