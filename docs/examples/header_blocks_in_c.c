// The blocks of sluice/c.h, each in a function that it can stand in.
#include <sluice/c.h>
#include <stdio.h>
#include <string.h>

static int report(const char* message) {
  puts(message);
  return 1;
}

static int write_values(const double* values, size_t count) {
  sluice_error error;
  sluice_writer* writer = sluice_writer_open("run.bin", NULL, &error);
  if (writer == NULL) return report(error.message);
  for (size_t i = 0; i < count; ++i) sluice_write(writer, &values[i], sizeof values[i]);
  bool is_safe = sluice_writer_close(writer, &error);
  sluice_writer_free(writer);
  return is_safe ? 0 : report(error.message);
}

static bool replace(const char* path, const char* text, sluice_error* error) {
  sluice_writer_options options = SLUICE_WRITER_OPTIONS_INIT;
  options.create = SLUICE_REPLACE_ATOMICALLY;
  return sluice_write_file(path, text, strlen(text), &options, error);
}

int main(void) {
  sluice_error error;
  uint64_t bytes = 0;
  const double values[] = {1, 2.5};
  if (write_values(values, 2) != 0) return 1;
  if (!sluice_file_size("run.bin", &bytes, &error) || bytes != 16) return report("not 16 bytes");
  if (!replace("settings", "colour = red\n", &error)) return report(error.message);
  if (!sluice_file_size("settings", &bytes, &error) || bytes != 13) return report("not 13 bytes");
  return 0;
}
