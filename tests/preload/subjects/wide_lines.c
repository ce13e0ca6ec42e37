// usage: wide_lines FILE TIMES
//
// Writes lines of wide characters to FILE, which must not exist.
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(int count, char** words) {
  if (count != 3) return 2;
  FILE* const stream = fopen(words[1], "wx");
  if (stream == NULL) return 1;
  const long times = strtol(words[2], NULL, 10);
  for (long i = 0; i < times; ++i) {
    fputws(L"a line", stream);
    putwc(L'\n', stream);
  }
  return fclose(stream) != 0;
}
