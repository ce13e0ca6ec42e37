// Writes to standard output, and ends without a close: unclosed_output [again]
#include <sluice/c.h>

static sluice_writer* writer;  // the leak sanitizer finds it here

int main(int argc, char** argv) {
  (void)argv;
  sluice_writer* freed = sluice_standard_output(NULL, NULL);
  sluice_write_text(freed, "freed\n");
  sluice_writer_free(freed);
  writer = sluice_standard_output(NULL, NULL);
  sluice_printf(writer, "%s\n", "not closed");
  if (argc > 1 && sluice_writer_close(writer, NULL)) sluice_write_text(writer, "refused");
  return 0;
}
