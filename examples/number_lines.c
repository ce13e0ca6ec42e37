// Reads a text and writes its lines with their numbers, in C: number_lines FROM TO
#include <sluice/c.h>

#include <stdio.h>

static void number_lines(sluice_reader* from, sluice_writer* to) {
  size_t bytes = 0;
  int64_t number = 1;
  for (const char* line; (line = sluice_next_line(from, &bytes)) != NULL; ++number) {
    sluice_printf(to, "%6lld  ", (long long)number);
    sluice_write(to, line, bytes);
    sluice_put(to, '\n');
  }
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  sluice_error error;
  sluice_writer_options options = SLUICE_WRITER_OPTIONS_INIT;
  options.create = SLUICE_REPLACE_ATOMICALLY;

  sluice_reader* from = sluice_reader_open(argv[1], NULL, &error);
  sluice_writer* to = from == NULL ? NULL : sluice_writer_open(argv[2], &options, &error);
  bool is_safe = to != NULL;
  if (is_safe) {
    number_lines(from, to);
    // Without a whole text the old file stays as it is.
    is_safe = sluice_reader_close(from, &error) && sluice_writer_close(to, &error);
  }
  if (!is_safe) fprintf(stderr, "%s\n", error.message);
  sluice_reader_free(from);
  sluice_writer_free(to);
  return is_safe ? 0 : 1;
}
