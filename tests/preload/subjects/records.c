// usage: records HOW FILE TIMES
//
// Writes TIMES records of 32 bytes to FILE, in the manner HOW, or in a better one.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char record[] = "thirty-one bytes and a line end\n";
enum { record_bytes = sizeof record - 1 };

static const char* how;
static const char* path;
static long times;

static int is(const char* name) { return strcmp(how, name) == 0; }

static int through_a_stream(void) {
  FILE* const stream = fopen(path, "w");
  if (is("unbuffered")) setvbuf(stream, NULL, _IONBF, 0);
  if (is("line-buffered")) setvbuf(stream, NULL, _IOLBF, 4096);
  for (long i = 0; i < times; ++i) {
    if (is("sought") || is("counted")) fseek(stream, 0, SEEK_END);
    fwrite(record, record_bytes, 1, stream);
    if (is("flushed")) fflush(stream);
    if (is("counted")) {  // in a header, whose bytes are a part of the first record
      fseek(stream, 0, SEEK_SET);
      fwrite(&i, sizeof i, 1, stream);
    }
  }
  return fclose(stream) != 0;
}

static int by_a_descriptor(void) {
  const int flags = O_WRONLY | O_CREAT | (is("synchronous") ? O_DSYNC : 0);
  const int descriptor = is("standard") ? STDOUT_FILENO : open(path, flags, 0600);
  const unsigned waits = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WAIT_AFTER;
  for (long i = 0; i < times; ++i) {
    if (write(descriptor, record, record_bytes) != record_bytes) return 1;
    if (is("synced")) fdatasync(descriptor);
    if (is("all-synced")) sync();
    if (is("disk-synced")) syncfs(descriptor);
    if (is("range-synced")) sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE | waits);
  }
  if (is("synced-once")) fsync(descriptor);
  return close(descriptor) != 0;
}

// Gathers several records before it waits for the disk.
static int gathered(void) {
  enum { gathered_records = 1 << 16 };
  char* const all = malloc((size_t)gathered_records * record_bytes);
  for (long i = 0; i < gathered_records; ++i) memcpy(all + i * record_bytes, record, record_bytes);
  const int sync_each = is("gathered-synced");
  const int descriptor = open(path, O_WRONLY | O_CREAT | (sync_each ? 0 : O_DSYNC), 0600);
  for (long left = times; left > 0; left -= gathered_records) {
    const long count = left < gathered_records ? left : gathered_records;
    if (write(descriptor, all, (size_t)(count * record_bytes)) < 0) return 1;
    if (sync_each) fdatasync(descriptor);
  }
  free(all);
  return close(descriptor) != 0;
}

// Puts the records into a mapping of the file. "mapped-synced" makes each record durable, and
// "mapped-gathered" many of them at once.
static int mapped(void) {
  enum { page_bytes = 4096 };
  const size_t bytes = ((size_t)times * record_bytes | (page_bytes - 1)) + 1;
  const int each = is("mapped-synced");
  const int descriptor = open(path, O_RDWR | O_CREAT, 0600);
  if (ftruncate(descriptor, (off_t)bytes) != 0) return 1;
  char* const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return 1;
  for (long i = 0; i < times; ++i) {
    memcpy(memory + i * record_bytes, record, record_bytes);
    if ((each || i % 131072 == 131071) && msync(memory, bytes, MS_SYNC) != 0) return 1;
  }
  return munmap(memory, bytes) != 0 || close(descriptor) != 0;
}

static int reopened(void) {
  for (long i = 0; i < times; ++i) {
    FILE* const stream = fopen(path, "a");
    fwrite(record, record_bytes, 1, stream);
    if (fclose(stream) != 0) return 1;
  }
  return 0;
}

int main(int count, char** words) {
  if (count != 4) return 2;
  how = words[1];
  path = words[2];
  times = strtol(words[3], NULL, 10);
  if (is("reopened")) return reopened();
  if (is("gathered") || is("gathered-synced")) return gathered();
  if (is("mapped-synced") || is("mapped-gathered")) return mapped();
  if (is("plain") || is("standard") || is("synchronous") || strstr(how, "synced") != NULL) {
    return by_a_descriptor();
  }
  return through_a_stream();
}
