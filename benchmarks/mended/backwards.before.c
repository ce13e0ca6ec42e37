// Shows the last entries of a log, the newest first, each with how unlike the newer ones it is. It
// walks backwards through the file, a character at a time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { kEntries = 60000, kLine = 256, kNewer = 7 };
static FILE* text;

static long start_of_line(long end) {
  long start = end - 1;  // past the newline of this line
  while (start > 0) {
    fseek(text, start - 1, SEEK_SET);
    if (fgetc(text) == '\n') break;
    --start;
  }
  return start;
}

static void line_at(long start, char* line, size_t size) {
  fseek(text, start, SEEK_SET);
  if (fgets(line, (int)size, text) == NULL) abort();
  line[strcspn(line, "\n")] = '\0';
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
  text = fopen("lines", "rb");
  if (text == NULL || fseek(text, 0, SEEK_END) != 0) return 1;
  long end = ftell(text);
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
  return fclose(text);
}
