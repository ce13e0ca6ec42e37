// Shows the last entries of a log, the newest first, each with how unlike the newer ones it is. It
// reads the whole file, and walks backwards in memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { kEntries = 60000, kLine = 256, kNewer = 7 };
static char* text;

static long start_of_line(long end) {
  long start = end - 1;  // past the newline of this line
  while (start > 0) {
    if (text[start - 1] == '\n') break;
    --start;
  }
  return start;
}

static void line_at(long start, char* line, size_t size) {
  size_t length = strcspn(text + start, "\n");
  if (length >= size) abort();
  memcpy(line, text + start, length);
  line[length] = '\0';
}

static long read_whole(const char* path) {
  FILE* file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) exit(1);
  long size = ftell(file);
  text = malloc((size_t)size + 1);
  rewind(file);
  if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) exit(1);
  text[size] = '\0';
  fclose(file);
  return size;
}

// How many characters have to be put in, taken out, or changed to make one text of the other.
static int edits_between(const char* one, const char* other) {
  int length = (int)strlen(other), row[kLine];
  for (int i = 0; i <= length; ++i) row[i] = i;
  for (int i = 0; one[i] != '\0'; ++i) {
    int corner = row[0]++;
    for (int j = 0; j < length; ++j) {
      int change = corner + (one[i] != other[j]);
      int least = row[j] < row[j + 1] ? row[j] + 1 : row[j + 1] + 1;
      corner = row[j + 1];
      row[j + 1] = change < least ? change : least;
    }
  }
  return row[length];
}

int main(void) {
  long end = read_whole("lines");
  static char newer[kNewer][kLine];
  for (int entry = 0; entry < kEntries && end > 0; ++entry) {
    long start = start_of_line(end);
    char* line = newer[entry % kNewer];
    line_at(start, line, kLine);
    int edits = kLine;
    for (int i = 1; i < kNewer; ++i) {
      int more = edits_between(line, newer[(entry + i) % kNewer]);
      if (more < edits) edits = more;
    }
    printf("%3d %s\n", edits, line);
    end = start;
  }
  return 0;
}
