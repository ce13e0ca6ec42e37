// Runs the small programs of README.md. install_test.sh appends this file to them. A failed check
// ends the test with its line.
#include <sluice/files.h>
#include <sluice/journal.h>

#include <cstdlib>
#include <cstring>
#include <iostream>

#define EXPECT(condition)                                                  \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::cerr << "FAILED: line " << __LINE__ << ": " #condition << '\n'; \
      std::exit(1);                                                        \
    }                                                                      \
  } while (false)

static std::string content(const char* path) {
  std::string text;
  EXPECT(sluice::read_file(path, text).ok());
  return text;
}

static void backs_up_a_file() {
  EXPECT(sluice::write_file("settings", "colour = red\n").ok());
  EXPECT(back_up("settings").ok());
  EXPECT(content("settings.bak") == "colour = red\n");
}

static void adds_up_a_column() {
  EXPECT(sluice::write_file("prices.csv",
                            "what,colour,price,year\r\nlamp,red,4.5,2026\r\n"
                            "pen,blue,1.25,2025\nlast,,2\r\n")
             .ok());
  double sum = 0;
  EXPECT(add_up_third_column("prices.csv", sum).ok());
  EXPECT(sum == 7.75);
}

static void names_the_line_that_it_cannot_add_up() {
  const std::string_view bad[] = {
      "a,b,",     "a,b,,4", "c,d", "",   "a",         "lamp,red,much,2026", "a,b,1.5x",
      "a,b,1 ,4", "a,b, 1", ",",   ",,", "a,b,1e999", "\"lamp,red\",5,6"};
  for (const std::string_view line : bad) {
    EXPECT(sluice::write_file("prices.csv", "a,b,1\n" + std::string(line) + "\n5,6,7\n").ok());
    double sum = 0;
    const sluice::Status status = add_up_third_column("prices.csv", sum);
    EXPECT(!status.ok());
    EXPECT(status.message() == "read prices.csv: no number in line 2");
  }
}

static void adds_up_numbers() {
  EXPECT(sluice::write_file("numbers", "1 2.5 lamp 3\n1e999 4x").ok());
  double sum = 0;
  std::vector<std::string> bad_texts;
  EXPECT(add_up_numbers("numbers", sum, bad_texts).ok());
  EXPECT(sum == 10.5);
  EXPECT((bad_texts == std::vector<std::string>{"lamp", "1e999", "x"}));
  EXPECT(add_up_numbers("missing", sum, bad_texts).code() == std::errc::no_such_file_or_directory);
}

static void writes_a_checksum() {
  std::uint32_t checksum = 0;
  EXPECT(write_checked("checked", "123456789", checksum).ok());
  EXPECT(content("checked") == "123456789");
  EXPECT(checksum == 0xE3069283);  // the check value of CRC-32C for these digits
  EXPECT(!write_checked("/dev/full", "123456789", checksum).ok());
}

static void appends_to_a_log() {
  const sluice::JournalOptions raw{.framing = sluice::Framing::raw};
  sluice::Journal journal;
  EXPECT(journal.open("log", raw).ok());
  EXPECT(log_durably(journal, "one\n").ok());
  EXPECT(log_durably(journal, "two\n").ok());
  EXPECT(content("log") == "one\ntwo\n");
  EXPECT(journal.close().ok());
}

static void replaces_a_configuration() {
  EXPECT(save_configuration("configuration", "colour = red\n").ok());
  EXPECT(save_configuration("configuration", "colour = blue\n").ok());
  EXPECT(content("configuration") == "colour = blue\n");
}

static void writes_the_count_last() {
  EXPECT(write_squares_below(10, "squares").ok());
  const std::uint64_t expected[] = {4, 0, 1, 4, 9};
  const std::string written = content("squares");
  EXPECT(written.size() == sizeof expected);
  EXPECT(std::memcmp(written.data(), expected, sizeof expected) == 0);
}

int main(int argc, char**) {
  if (argc > 1) return keep_lines_with("error").ok() ? 0 : 1;  // install_test.sh checks the lines
  backs_up_a_file();
  adds_up_a_column();
  names_the_line_that_it_cannot_add_up();
  adds_up_numbers();
  writes_a_checksum();
  appends_to_a_log();
  replaces_a_configuration();
  writes_the_count_last();
}
