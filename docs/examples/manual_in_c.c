// The example in C of sluice(3).
#include <sluice/c.h>
#include <stdio.h>

int main(void) {
  sluice_error error;
  sluice_writer* writer = sluice_writer_open("numbers", NULL, &error);
  bool is_safe = false;
  if (writer != NULL) {
    for (int i = 0; i < 1000; ++i) sluice_printf(writer, "%d\n", i);
    is_safe = sluice_writer_close(writer, &error);  // true only if every byte is in the file
    sluice_writer_free(writer);
  }
  if (!is_safe) fprintf(stderr, "%s\n", error.message);
  return is_safe ? 0 : 1;
}
