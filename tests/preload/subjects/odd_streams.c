// usage: odd_streams HOW FILE, where FILE has at least 20,000 bytes
//
// Uses a stream in a way that makes the C library read, write or seek in another way than usual:
//   unbuffered   reads pieces by a stream without a buffer
//   tiny         reads pieces larger than the buffer, which has 100 bytes
//   unreadable   empties FILE, and reads from a stream that only writes
//   patches      seeks and writes a few bytes, again and again, by a stream that reads too
#include <stdio.h>
#include <string.h>

static char buffer[100];

static void read_pieces(FILE* file) {
  char piece[130];
  for (int i = 0; i < 100; ++i) {
    if (fread(piece, 1, sizeof piece, file) == 0) return;
  }
}

int main(int count, char** words) {
  if (count != 3) return 2;
  const char* const how = words[1];
  const int patches = strcmp(how, "patches") == 0;
  const int is_unreadable = strcmp(how, "unreadable") == 0;
  FILE* const file = fopen(words[2], patches ? "r+" : is_unreadable ? "w" : "r");
  if (file == NULL) return 1;
  if (strcmp(how, "unbuffered") == 0) setvbuf(file, NULL, _IONBF, 0);
  if (strcmp(how, "tiny") == 0) setvbuf(file, buffer, _IOFBF, sizeof buffer);
  if (is_unreadable) {
    for (int i = 0; i < 100; ++i) fgetc(file);
  } else if (patches) {
    for (int i = 0; i < 100; ++i) {
      fseek(file, i * 20, SEEK_SET);
      fprintf(file, "%d", i);
    }
  } else {
    read_pieces(file);
  }
  return fclose(file) == 0 ? 0 : 1;
}
