// Writes three lines, reads them back and prints them on one line, in C.
#include <sluice/c.h>

#include <stdio.h>

static bool write_lines(const char* path, sluice_error* error) {
  sluice_writer* writer = sluice_writer_open(path, NULL, error);
  if (writer == NULL) return false;
  sluice_write_text(writer, "alpha\nbeta\n");
  sluice_printf(writer, "%s\n", "gamma");
  const bool is_safe = sluice_writer_close(writer, error);
  sluice_writer_free(writer);
  return is_safe;
}

static bool print_lines(const char* path, sluice_error* error) {
  sluice_reader* reader = sluice_reader_open(path, NULL, error);
  if (reader == NULL) return false;
  const char* space = "";
  size_t bytes = 0;
  for (const char* line; (line = sluice_next_line(reader, &bytes)) != NULL; space = " ") {
    printf("%s%.*s", space, (int)bytes, line);
  }
  puts("");
  const bool is_whole = sluice_reader_close(reader, error);
  sluice_reader_free(reader);
  return is_whole;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  sluice_error error;
  if (write_lines(argv[1], &error) && print_lines(argv[1], &error)) return 0;
  fprintf(stderr, "%s\n", error.message);
  return 1;
}
