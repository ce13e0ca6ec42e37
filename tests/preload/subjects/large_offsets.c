// Writes, seeks and reads beyond 4 GiB of a sparse file, and removes the file at the end.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const off_t far = (off_t)5 << 30;

static void by_stdio(void) {
  FILE* const stream = fopen("large", "w+");
  for (int i = 0; i < 30; ++i) {
    fseeko(stream, far + i * 1000, SEEK_SET);
    fprintf(stream, "%d at %lld\n", i, (long long)ftello(stream));
  }
  fflush(stream);
  char line[100] = "";
  for (int i = 29; i >= 0; --i) {
    fseeko(stream, far + i * 1000, SEEK_SET);
    printf("%s", fgets(line, sizeof line, stream));
    fseeko(stream, 3, SEEK_CUR);
    printf("%lld\n", (long long)ftello(stream));
  }
  printf("fclose %d\n", fclose(stream));
}

static void by_descriptor(void) {
  const int descriptor = open("large", O_WRONLY);
  printf("%lld\n", (long long)lseek(descriptor, far + 100, SEEK_SET));
  for (int i = 0; i < 100; ++i) {
    if (write(descriptor, "written\n", 8) != 8) exit(1);
  }
  printf("%zd\n", pwrite(descriptor, "pwritten", 8, far + 500));
  struct stat status;
  if (stat("large", &status) == 0) printf("%lld\n", (long long)status.st_size);
  printf("%d %d\n", ftruncate(descriptor, far + 700), posix_fallocate(descriptor, far, 600));
  close(descriptor);
  char data[701] = "";
  const int again = open("large", O_RDONLY);
  printf("%zd %s\n", pread(again, data, 700, far + 100), data);
  close(again);
}

static void by_temporary_file(void) {
  char name[] = "nameXXXXXX";
  const int descriptor = mkstemp(name);
  FILE* const stream = fdopen(descriptor, "w");
  for (int i = 0; i < 30000; ++i) fprintf(stream, "%d\n", i);
  printf("fclose %d\n", fclose(stream));
  FILE* const again = freopen(name, "r", stdin);
  char line[100] = "";
  printf("%s", fgets(line, sizeof line, again));
  unlink(name);
}

int main(void) {
  by_stdio();
  by_descriptor();
  by_temporary_file();
  return unlink("large");
}
