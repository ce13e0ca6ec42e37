// Calls every function of sluice/c.h once, as a program in C would: every_call FOLDER
// The folder is empty, and gets files. This file is compiled as C11, as C17 and as C++.
#include <sluice/c.h>  // the first include, because the header must include all that it needs

#include <stdio.h>

static int failed_checks;
static sluice_error error;

static void check(bool holds, const char* condition, int line) {
  if (holds) return;
  ++failed_checks;
  fprintf(stderr, "every_call.c:%d: %s; the last error is: %s\n", line, condition, error.message);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

static const char* path_of(const char* folder, const char* name) {
  static char paths[4][4096];
  static int next;
  char* path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static bool is_text(const char* text, size_t bytes, const char* expected) {
  return text != NULL && bytes == strlen(expected) && memcmp(text, expected, bytes) == 0;
}

// True if the file has exactly these bytes.
static bool has(const char* path, const char* expected) {
  sluice_bytes* bytes = sluice_bytes_new();
  const bool is_read = sluice_read_file(path, bytes, &error);
  const char* text = SLUICE_C_CAST(const char*, sluice_bytes_data(bytes));
  const bool is_same = is_read && is_text(text, sluice_bytes_size(bytes), expected);
  if (is_read && !is_same) fprintf(stderr, "the file is: %.*s\n", 200, text);
  sluice_bytes_free(bytes);
  return is_same;
}

static bool print_list(sluice_writer* writer, const char* format, ...) SLUICE_C_FORMAT(2, 3);
static bool print_list(sluice_writer* writer, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const bool is_accepted = sluice_vprintf(writer, format, arguments);
  va_end(arguments);
  return is_accepted;
}

static void write_text(sluice_writer* writer) {
  CHECK(sluice_put(writer, 'a') && sluice_write(writer, "bc\n", 3));
  CHECK(sluice_write_text(writer, "text\n"));
  CHECK(sluice_printf(writer, "%s %d\n", "printf", 7));
  CHECK(print_list(writer, "%s %g\n", "vprintf", 0.5));
  char* room = SLUICE_C_CAST(char*, sluice_reserve(writer, 8));
  CHECK(room != NULL);
  if (room != NULL) memcpy(room, "room\n", 5);
  sluice_commit(writer, 5);
}

static void write_numbers(sluice_writer* writer) {
  CHECK(sluice_write_int64(writer, INT64_MIN) && sluice_put(writer, ' '));
  CHECK(sluice_write_uint64(writer, UINT64_MAX) && sluice_put(writer, ' '));
  CHECK(sluice_write_int64_in_base(writer, -255, 16) && sluice_put(writer, ' '));
  CHECK(sluice_write_uint64_in_base(writer, 35, 36) && sluice_put(writer, ' '));
  CHECK(sluice_write_float(writer, 0.1f) && sluice_put(writer, ' '));
  CHECK(sluice_write_double(writer, 0.1) && sluice_put(writer, ' '));
  CHECK(sluice_write_long_double(writer, 0.5L) && sluice_put(writer, ' '));
  CHECK(sluice_write_float_in_format(writer, 1.5f, SLUICE_FIXED, 3) && sluice_put(writer, ' '));
  CHECK(sluice_write_double_in_format(writer, 1.5, SLUICE_SCIENTIFIC, -1));
  CHECK(sluice_put(writer, ' '));
  CHECK(sluice_write_long_double_in_format(writer, 255, SLUICE_HEX, -1));
  CHECK(sluice_put(writer, '\n'));
}

static const char written[] =
    "Abc\ntext\nprintf 7\nvprintf 0.5\nroom\n"
    "-9223372036854775808 18446744073709551615 -ff z 0.1 0.1 0.5 1.500 1.5e+00 f.fp+4\n";

static void write_file(const char* path) {
  sluice_writer_options options = SLUICE_WRITER_OPTIONS_INIT;
  options.durability = SLUICE_DURABLE_ON_CLOSE;
  sluice_writer* writer = sluice_writer_open(path, &options, &error);
  CHECK(writer != NULL && sluice_writer_is_open(writer));
  write_text(writer);
  CHECK(sluice_flush(writer, SLUICE_TO_OS, &error));
  write_numbers(writer);
  const uint64_t end = sluice_writer_position(writer);
  CHECK(end == sizeof written - 1);
  CHECK(sluice_write_at(writer, 0, "A", 1, &error));
  CHECK(sluice_writer_seek(writer, 4, &error) && sluice_writer_position(writer) == 4);
  CHECK(sluice_write_text(writer, "text") && sluice_writer_seek(writer, end, &error));
  CHECK(sluice_writer_status(writer, &error));
  CHECK(sluice_writer_close(writer, &error) && !sluice_writer_is_open(writer));
  CHECK(!sluice_put(writer, 'x') && !sluice_writer_status(writer, &error));
  CHECK(error.code == EBADF && error.operation == SLUICE_WRITE);
  sluice_writer_free(writer);
  CHECK(has(path, written));
}

static void discard(const char* path) {
  sluice_writer_options options = SLUICE_WRITER_OPTIONS_INIT;
  options.create = SLUICE_REPLACE_ATOMICALLY;
  sluice_writer* writer = sluice_writer_open(path, &options, &error);
  CHECK(sluice_write_text(writer, "never seen") && sluice_discard(writer, &error));
  CHECK(!sluice_writer_close(writer, &error) && error.code == ECANCELED);
  sluice_writer_free(writer);
  CHECK(has(path, written));
}

static void read_text(sluice_reader* reader) {
  size_t bytes = 0;
  char three[3];
  CHECK(sluice_get(reader) == 'A' && sluice_read(reader, three, 3) == 3);
  CHECK(memcmp(three, "bc\n", 3) == 0 && sluice_reader_position(reader) == 4);
  const char* shown = SLUICE_C_CAST(const char*, sluice_peek(reader, 4, &bytes));
  CHECK(shown != NULL && bytes >= 4 && memcmp(shown, "text", 4) == 0);
  CHECK(sluice_skip(reader, 5) == 5);
  const char* line = sluice_next_line(reader, &bytes);
  CHECK(is_text(line, bytes, "printf 7"));
  line = sluice_read_until(reader, ' ', &bytes);
  CHECK(is_text(line, bytes, "vprintf"));
  line = sluice_next_line_without_cr(reader, &bytes);
  CHECK(is_text(line, bytes, "0.5"));
  line = sluice_next_line(reader, &bytes);
  CHECK(is_text(line, bytes, "room"));
}

static void read_numbers(sluice_reader* reader) {
  int64_t integer = 0;
  uint64_t natural = 0;
  float single_value = 0;
  double double_value = 0;
  long double long_value = 0;
  CHECK(sluice_next_int64(reader, &integer) && integer == INT64_MIN);
  CHECK(sluice_next_uint64(reader, &natural) && natural == UINT64_MAX);
  CHECK(sluice_next_int64_in_base(reader, &integer, 16) && integer == -255);
  CHECK(sluice_next_uint64_in_base(reader, &natural, 36) && natural == 35);
  CHECK(sluice_next_float(reader, &single_value) && single_value > 0.09f && single_value < 0.11f);
  CHECK(sluice_next_double(reader, &double_value) && double_value > 0.09 && double_value < 0.11);
  CHECK(sluice_next_long_double(reader, &long_value) && long_value > 0.4L && long_value < 0.6L);
  CHECK(sluice_next_double(reader, &double_value) && sluice_next_double(reader, &double_value));
  CHECK(sluice_next_double_in_format(reader, &double_value, SLUICE_HEX));
  CHECK(double_value > 254 && double_value < 256);
}

static void read_file(const char* path, const char* empty) {
  sluice_reader_options options = SLUICE_READER_OPTIONS_INIT;
  sluice_reader* reader = sluice_reader_open(path, &options, &error);
  CHECK(reader != NULL && sluice_reader_is_open(reader));
  read_text(reader);
  read_numbers(reader);
  uint64_t size = 0;
  CHECK(sluice_reader_size(reader, &size, &error) && size == sizeof written - 1);
  CHECK(sluice_get(reader) == '\n' && sluice_get(reader) == SLUICE_END);
  CHECK(sluice_reader_status(reader, &error) && sluice_reader_seek(reader, 4, &error));
  int32_t number = 0;
  uint32_t natural = 0;
  size_t bytes = 0;
  CHECK(!sluice_next_int32(reader, &number) && !sluice_reader_status(reader, &error));
  CHECK(error.code == EBADMSG && error.has_offset && error.offset == 4);
  const char* text = sluice_skip_bad_number(reader, NULL, &bytes);
  CHECK(is_text(text, bytes, "text"));
  CHECK(!sluice_next_uint32(reader, &natural));
  text = sluice_skip_bad_number(reader, "\n", &bytes);
  CHECK(is_text(text, bytes, "printf 7"));
  sluice_bytes* rest = sluice_bytes_new();
  CHECK(sluice_read_rest(reader, rest, &error));
  CHECK(sluice_bytes_size(rest) == sizeof written - 1 - 17);
  sluice_bytes_free(rest);
  CHECK(sluice_reader_close(reader, &error) && !sluice_reader_is_open(reader));
  sluice_reader_free(reader);

  reader = sluice_reader_open(empty, NULL, &error);
  CHECK(reader == NULL && error.code == ENOENT && strcmp(error.path, empty) == 0);
}

static void pass_values_through_memory(void) {
  const uint32_t values[4] = {1, 2, 3, 4};
  uint32_t two[2] = {0, 0};
  size_t records = 0;
  sluice_bytes* bytes = sluice_bytes_new();
  sluice_writer* writer = sluice_writer_open_memory(bytes, NULL, &error);
  CHECK(sluice_write(writer, values, sizeof values) && sluice_writer_close(writer, &error));
  sluice_writer_free(writer);
  CHECK(sluice_bytes_size(bytes) == sizeof values);

  sluice_reader* reader =
      sluice_reader_open_memory(sluice_bytes_data(bytes), sizeof values - 1, NULL, &error);
  CHECK(sluice_read_values(reader, two, sizeof two[0], 2) == 2 && two[1] == 2);
  const uint32_t* rest =
      SLUICE_C_CAST(const uint32_t*, sluice_next_records(reader, sizeof *rest, &records));
  CHECK(rest != NULL && records == 1 && rest[0] == 3);
  CHECK(sluice_next_records(reader, sizeof *rest, &records) == NULL && records == 0);
  CHECK(!sluice_reader_close(reader, &error) && error.code == EBADMSG && error.offset == 12);
  sluice_reader_free(reader);
  sluice_bytes_free(bytes);
}

static void use_whole_files(const char* path, const char* copy, const char* folder) {
  uint64_t number = 7;
  size_t got = 0;
  char into[16];
  sluice_copy_options options = SLUICE_COPY_OPTIONS_INIT;
  options.create = SLUICE_EXCLUSIVE;
  CHECK(sluice_write_file(path, "whole", 5, NULL, &error) && has(path, "whole"));
  CHECK(sluice_copy_file(path, copy, &options, &error) && has(copy, "whole"));
  CHECK(!sluice_copy_file(path, copy, &options, &error) && error.code == EEXIST);
  CHECK(sluice_read_into(path, into, sizeof into, &got, &error) && is_text(into, got, "whole"));
  CHECK(sluice_file_size(path, &number, &error) && number == 5);
  CHECK(sluice_remove_abandoned_replacements(folder, &number, &error) && number == 0);
  sluice_mapping* mapping = sluice_map_file(path, &error);
  CHECK(is_text(SLUICE_C_CAST(const char*, sluice_mapping_data(mapping)),
                sluice_mapping_size(mapping), "whole"));
  sluice_mapping_free(mapping);

  sluice_reader* reader = sluice_reader_open(path, NULL, &error);
  sluice_writer* writer = sluice_writer_open(copy, NULL, &error);
  CHECK(sluice_copy(reader, writer, 3, &number, &error) && number == 3);
  CHECK(sluice_reader_close(reader, &error) && sluice_writer_close(writer, &error));
  sluice_reader_free(reader);
  sluice_writer_free(writer);
  CHECK(has(copy, "who"));
}

static void use_descriptors(void) {
  sluice_writer* writer = sluice_writer_attach(2, "descriptor 2", NULL, &error);
  CHECK(writer != NULL && sluice_writer_close(writer, &error));
  sluice_writer_free(writer);
  CHECK(sluice_reader_attach(-1, "no descriptor", NULL, &error) == NULL && error.code == EBADF);
  CHECK(strcmp(error.path, "no descriptor") == 0);
  sluice_writer* streams[2] = {sluice_standard_output(NULL, &error),
                               sluice_standard_error(NULL, &error)};
  for (int i = 0; i < 2; ++i) {
    CHECK(streams[i] != NULL && sluice_writer_close(streams[i], &error));
    sluice_writer_free(streams[i]);
  }
  sluice_reader* input = sluice_standard_input(NULL, &error);
  CHECK(input != NULL && sluice_reader_close(input, &error));
  sluice_reader_free(input);
  uint64_t bytes = 0;
  CHECK(!sluice_descriptor_size(-1, &bytes, &error) && error.code == EBADF);
}

static void use_journal(const char* path) {
  sluice_journal_options options = SLUICE_JOURNAL_OPTIONS_INIT;
  options.framing = SLUICE_RAW;
  sluice_recovered recovered;
  uint64_t ticket = 0;
  uint64_t durable = 0;
  sluice_journal* journal = sluice_journal_open(path, &options, &recovered, &error);
  CHECK(journal != NULL && sluice_journal_is_open(journal) && recovered.whole_bytes == 0);
  CHECK(sluice_journal_append(journal, "record\n", 7, &ticket, &error) && ticket == 7);
  CHECK(sluice_journal_commit(journal, ticket, &error));
  CHECK(sluice_journal_durable_up_to(journal, &durable, &error) && durable == 7);
  CHECK(sluice_journal_status(journal, &error) && sluice_journal_close(journal, &error));
  CHECK(!sluice_journal_append(journal, "late", 4, &ticket, &error) && error.code == EBADF);
  sluice_journal_free(journal);
  CHECK(has(path, "record\n"));
}

static void read_journal(const char* path) {
  size_t bytes = 0;
  uint64_t ticket = 0;
  sluice_journal* journal = sluice_journal_open(path, NULL, NULL, &error);
  CHECK(sluice_journal_append(journal, "one", 3, &ticket, &error));
  CHECK(sluice_journal_append(journal, "", 0, &ticket, &error));
  CHECK(sluice_journal_close(journal, &error));
  sluice_journal_free(journal);
  sluice_journal_reader* reader = sluice_journal_reader_open(path, &error);
  const char* record = SLUICE_C_CAST(const char*, sluice_journal_reader_next(reader, &bytes));
  CHECK(is_text(record, bytes, "one"));
  CHECK(sluice_journal_reader_next(reader, &bytes) != NULL && bytes == 0);
  CHECK(sluice_journal_reader_position(reader) == ticket);
  CHECK(sluice_journal_reader_next(reader, &bytes) == NULL && bytes == 0);
  CHECK(sluice_journal_reader_status(reader, &error));
  sluice_journal_reader_free(reader);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const char* folder = argv[1];
  write_file(path_of(folder, "text"));
  discard(path_of(folder, "text"));
  read_file(path_of(folder, "text"), path_of(folder, "missing"));
  pass_values_through_memory();
  use_whole_files(path_of(folder, "whole"), path_of(folder, "copy"), folder);
  use_descriptors();
  use_journal(path_of(folder, "journal"));
  read_journal(path_of(folder, "checked"));
  CHECK(strcmp(sluice_operation_name(SLUICE_SYNC_DIRECTORY), "sync directory") == 0);
  CHECK(sluice_set_lost_error_handler(NULL, NULL));
  return failed_checks == 0 ? 0 : 1;
}
