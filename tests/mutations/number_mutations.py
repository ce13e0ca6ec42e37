"""Mutations of numbers as text."""
from mutation import Mutation

DECIMAL = "src/core/decimal.cc"
SHORTEST = "src/core/shortest.h"
LAYOUT = "src/core/shortest.cc"
WRITER = "src/core/writer_core.cc"
WRITER_NUMBERS = "src/core/writer_numbers.cc"
WRITER_HEADER = "include/sluice/writer.h"
READER_NUMBERS = "src/core/reader_numbers.cc"
READER_HEADER = "include/sluice/reader.h"
PRINT = "include/sluice/print.h"
WRITER_TEST = "src/core/writer_numbers_test.cc"
READER_TEST = "src/core/reader_numbers_test.cc"
PRINT_TEST = "src/core/print_test.cc"

ON_WRITING = "WriterNumbers.*"
ON_READING = "ReaderNumbers.*:ReaderModel.*"
ON_PRINTING = "Print.*"

NUMBERS = [
    Mutation("the zeros inside a number are dropped", DECIMAL,
             "  return store(to, eight(value - high * eight_digits));",
             "  return store_without_zeros(to, eight(value - high * eight_digits));", ON_WRITING),
    Mutation("a hundredth is rounded wrong", DECIMAL, "10'486", "10'485", ON_WRITING),
    Mutation("0 has no digit", DECIMAL, "| std::uint64_t{1} << 56)", "| std::uint64_t{0})",
             ON_WRITING),
    Mutation("neighbours are as near below a power of two as above", SHORTEST,
             "const int closer = binary.is_power_of_two ? 1 : 0;", "const int closer = 0;",
             ON_WRITING),
    Mutation("the ends of an odd number's interval read back as it", SHORTEST,
             "const std::uint64_t odd = significand & 1;", "const std::uint64_t odd = 0;",
             ON_WRITING),
    Mutation("a product that is not exact counts as exact", SHORTEST,
             "| (fraction > 1 ? 1 : 0)", "", ON_WRITING),
    Mutation("some digits of a long whole number are left out", LAYOUT,
             "  if (is_fixed && digits.point > digits.count && "
             "digits.point > std::numeric_limits<T>::digits10) {",
             "  if (false) {", ON_WRITING),
    Mutation("the fixed form is written only where it is shorter", LAYOUT,
             "fixed_bytes(digits) <= scientific_bytes(digits)",
             "fixed_bytes(digits) < scientific_bytes(digits)", ON_WRITING),
    Mutation("a number may be longer than the room that is left", WRITER_HEADER,
             "(limit_ - cursor_) <= decimal_room_bytes)", "(limit_ - cursor_) < 1)",
             ON_WRITING, test_file=WRITER_TEST),
    Mutation("a base is not checked", WRITER_NUMBERS,
             "  if (base < 2 || base > 36) return refuse_base(base);\n", "", ON_WRITING),
    Mutation("a text on the stack has any precision", WRITER_NUMBERS,
             "max_exponent10 + asked + 32", "max_exponent10 + 32", ON_WRITING),
    Mutation("a number that does not fit is cut", READER_HEADER,
             " || magnitude > max + (is_negative ? 1 : 0)", "", ON_READING,
             test_file=READER_TEST),
    Mutation("a text without digits counts as 0", READER_HEADER, "digits == 0 || ", "", ON_READING,
             test_file=READER_TEST),
    Mutation("a number of many digits is cut", READER_HEADER, "digits == max_digits || ", "",
             ON_READING, test_file=READER_TEST),
    Mutation("a number ends with the block", READER_NUMBERS,
             "    if (goes_on && fetch_text(reader, "
             "bytes_within(text, bytes, parsed_value, form))) continue;\n", "", ON_READING),
    Mutation("a number that has ended is waited for", READER_NUMBERS,
             "  if (!std::all_of(rest.begin(), rest.end(), may_be_in_number)) return false;\n",
             "  if (rest.size() < max_added_bytes) return true;\n"
             "  if (!std::all_of(rest.begin(), rest.end(), may_be_in_number)) return false;\n",
             ON_READING),
    Mutation("a nan's text ends with the block", READER_NUMBERS,
             "return std::isnan(value) && rest.front() == '(';", "return false;", ON_READING),
    Mutation("an exponent is not waited for", READER_NUMBERS,
             "rest.size() < max_added_bytes || is_without_exponent",
             "rest.size() < max_added_bytes", ON_READING),
    Mutation("a number has no limit", READER_NUMBERS,
             "is_behind_block && is_too_long(", "false && is_too_long(",
             ON_READING),
    Mutation("a number in the block is too long", READER_NUMBERS,
             "const bool is_behind_block = goes_on || has_fetched;",
             "const bool is_behind_block = true;", ON_READING),
    Mutation("the bytes behind an infinite long double are looked through", READER_NUMBERS,
             "  const auto parsed = std::from_chars(begin, begin + copy.size(), value, format);\n"
             "  return {text.data() + (parsed.ptr - begin), parsed.ec};\n",
             "  return std::from_chars(text.data(), text.data() + text.size(), value, format);\n",
             "ReaderNumbers.*"),
    Mutation("a number that was fetched in parts may be longer than allowed", READER_NUMBERS,
             "const bool is_behind_block = goes_on || has_fetched;",
             "const bool is_behind_block = goes_on;", ON_READING),
    Mutation("a digit of another base belongs to a number", READER_NUMBERS,
             "? digits(static_cast<std::size_t>(form)) :", "? digits(36) :", ON_READING),
    Mutation("a Reader that is not open refuses a base", READER_NUMBERS,
             "  if (closed_) return false;\n", "", ON_READING),
    Mutation("lines behind a bad number are lost", "src/core/reader_core.cc",
             "  scanned_until_ = reader.cursor_;\n  return false;", "  return false;", ON_READING),
    Mutation("a message has bytes that are not printable", READER_NUMBERS,
             "byte > ' ' && byte < 0x7F", "true", ON_READING),
    Mutation("a bad number of no bytes is passed for ever", READER_NUMBERS,
             "  std::size_t searched = 1;", "  std::size_t searched = 0;", ON_READING),
    Mutation("a bad number is shown where it lay before the block moved", READER_NUMBERS,
             "text = text_of(reader.cursor_, reader.cursor_ + bytes);",
             "text = pending.substr(0, bytes);", ON_READING),
    Mutation("a base is not checked by a Reader", READER_NUMBERS,
             "    if (base < 2 || base > 36) return core.refuse_base(*this, base);\n", "",
             ON_READING),
    Mutation("a text that was cut is printed", PRINT,
             "    if (text.size <= room.bytes() - end.size()) {", "    if (true) {", ON_PRINTING,
             test_file=PRINT_TEST),
    Mutation("a text that does not fit runs out of memory and throws", PRINT,
             "    return call();\n  } catch (const std::bad_alloc&)",
             "    return call();\n  } catch (const int&)", ON_PRINTING, test_file=PRINT_TEST),
    Mutation("a formatter that runs out of memory throws out of print", PRINT,
             "args);\n  } catch (const std::bad_alloc&)", "args);\n  } catch (const int&)",
             ON_PRINTING, test_file=PRINT_TEST),
    Mutation("a width counts as a plain field", PRINT,
             "(i == format.size() || (format[i] != '}' && format[i] != '{'))", "(false)",
             ON_PRINTING, test_file=PRINT_TEST),
    Mutation("a compiled text is taken to fit always", PRINT,
             "  if (max_bytes > room.bytes()) [[unlikely]]", "  if (false)", ON_PRINTING,
             test_file=PRINT_TEST),
    Mutation("a text that has left the room counts as in it", PRINT,
             "    if (text.data() != begin) return", "    if (false) return", ON_PRINTING,
             test_file=PRINT_TEST),
    Mutation("a compiled text with a width is made beside the block", PRINT,
             "    if (BlockRoom(writer).bytes() >= min_room_bytes) {", "    if (false) {",
             ON_PRINTING, test_file=PRINT_TEST),
    Mutation("a null pointer counts as a text", PRINT,
             "if (!has_null && print_bounded", "if (print_bounded", ON_PRINTING,
             test_file=PRINT_TEST),
    Mutation("a formatter of the program runs while its text is in the block", PRINT,
             "  if constexpr (!by_fmt) {", "  if constexpr (false) {", ON_PRINTING,
             test_file=PRINT_TEST),
    Mutation("a formatter of the program runs while its compiled text is in the block", PRINT,
             "  if constexpr ((FormattedByFmt<Args> && ...)) {", "  if constexpr (true) {",
             ON_PRINTING, test_file=PRINT_TEST),
]
