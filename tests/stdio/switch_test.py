#!/usr/bin/env python3
"""Programs that are switched to sluice/stdio.h do what they do with the C library.

usage: switch_test.py CC CXX INCLUDE LIBRARY
"""
import collections
import itertools
import os
import pathlib
import pty
import random
import re
import select
import subprocess
import sys
import tempfile
import unittest

CC, CXX, INCLUDE, LIBRARY = sys.argv[1:5]
HERE = pathlib.Path(__file__).resolve().parent
PATIENCE_S = 60  # for work that takes moments
SWITCH = [f"-I{INCLUDE}", "-include", "sluice/stdio.h"]


def compile_program(source, program, *options):
    # C++ names would need the library of C++, which a C compiler does not link.
    subprocess.run([CC, "-O2", "-Wall", "-Wextra", "-Werror", *options, str(source), "-o",
                    str(program), LIBRARY, "-pthread"], check=True)


def complaints(text, compiler=CC, options=(), language="c", compile_to="-fsyntax-only"):
    """What the compiler says about a switched source."""
    result = subprocess.run([compiler, *SWITCH, *options, "-x", language, compile_to, "-", "-o",
                             os.devnull], input=text, capture_output=True, text=True)
    return [line for line in result.stderr.splitlines() if "error:" in line]


def read_until(terminal, end):
    """What the terminal shows until it shows `end`, for at most 10 seconds."""
    seen = b""
    while not seen.endswith(end) and select.select([terminal], [], [], 10)[0]:
        seen += os.read(terminal, 1000)
    return seen


class Folder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def both(self, name, *options):
        """The plain and the switched program."""
        plain, switched = self.folder / f"{name}_plain", self.folder / f"{name}_switched"
        compile_program(HERE / f"{name}.c", plain)
        compile_program(HERE / f"{name}.c", switched, *SWITCH, *options)
        return plain, switched

    def outcome(self, program, *arguments, stdin=b""):
        result = subprocess.run([program, *arguments], input=stdin, capture_output=True,
                                cwd=self.folder, timeout=PATIENCE_S)
        return result.returncode, result.stdout, result.stderr


class Programs(Folder):
    def test_every_way_to_end_is_as_with_the_c_library(self):
        for options in ((), ("-DSLUICE_STDIO_LOCKED",)):
            plain, switched = self.both("ways_to_end", *options)
            for way in ("return", "exit", "_exit", "abort", "atexit", "fork", "close", "flush",
                        "reopen", "locked"):
                with self.subTest(way=way):
                    self.assertEqual(self.outcome(plain, way), self.outcome(switched, way))

    def test_the_buffer_is_lost_by_underscore_exit_alone(self):
        _, switched = self.both("ways_to_end")
        self.assertEqual(self.outcome(switched, "_exit")[:2], (4, b""))
        self.assertEqual(self.outcome(switched, "exit")[:2], (5, b"buffered 42 exit\n"))

    def test_the_next_program_goes_on_where_the_first_stopped(self):
        (self.folder / "input").write_bytes(b"one\ntwo\nthree\n")
        for program in self.both("ways_to_end"):
            result = subprocess.run(["sh", "-c", f"({program} line; cat) < input"],
                                    capture_output=True, cwd=self.folder, check=True)
            self.assertEqual(result.stdout, b"first: one\ntwo\nthree\n")

    def test_other_programs_are_read_and_written_as_with_the_c_library(self):
        plain, switched = self.both("other_programs")
        self.assertEqual(self.outcome(switched), self.outcome(plain))
        self.assertIn(b"read: 5000 lines, exit status 3", self.outcome(switched)[1])

    def test_pending_bytes_are_as_with_the_c_library(self):
        plain, switched = self.both("pending_bytes")
        self.assertEqual(self.outcome(switched), self.outcome(plain))
        self.assertIn(b"fputs: pending 6, reading 0, writing 1\n", self.outcome(switched)[1])

    def test_a_full_disk_is_told(self):
        for program in self.both("ways_to_end"):
            with open("/dev/full", "wb") as full:
                result = subprocess.run([program, "flush"], stdout=full, stderr=subprocess.PIPE)
            self.assertIn(b"flush: No space left on device", result.stderr)
            self.assertEqual(result.returncode, 1)

    def test_the_delta_is_the_same(self):
        random.seed(7)
        old = bytes(random.choice(b"abcdefgh") for _ in range(30000))
        new = old[:9000] + b"inserted" + old[9002:20000] + old[20003:]
        (self.folder / "old").write_bytes(old)
        (self.folder / "new").write_bytes(new)
        found = [(self.outcome(program, "old", "new", "delta"),
                  (self.folder / "delta").read_bytes()) for program in self.both("delta_builder")]
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0][0][0], 0)

    def test_the_filtered_lines_are_the_same(self):
        lines = b"".join(b"line %d of many\n" % i for i in range(20000)) + b"no newline 77"
        found = [self.outcome(program, "77", stdin=lines) for program in self.both("line_filter")]
        self.assertEqual(found[0], found[1])
        self.assertIn(b" 20001: no newline 77", found[0][1])

    def test_the_calls_of_threads_stay_whole_with_locks(self):
        program = self.folder / "threads"
        compile_program(HERE / "threads.c", program, *SWITCH, "-DSLUICE_STDIO_LOCKED")
        self.assertEqual(self.outcome(program, "lines")[0], 0)
        lines = collections.Counter((self.folder / "lines").read_bytes().splitlines())
        self.assertEqual(sum(lines.values()), 4 * 20_000)
        ends = (b" by several calls", b" by one call", b" by fwrite")
        self.assertEqual(set(lines), {letter * 5 + end for letter in (b"a", b"b", b"c", b"d")
                                      for end in ends})

    def test_every_call_takes_the_lock_if_asked(self):
        program = self.folder / "locked_calls"
        compile_program(HERE / "locked_calls.c", program, *SWITCH, "-DSLUICE_STDIO_LOCKED",
                        "-Wl,--wrap=sluice_stdio_lock")
        self.assertEqual(self.outcome(program), (0, b"put\n\n%", b"told: Success\n"))
        self.assertEqual(self.outcome(program, "alone")[0], 0, "a lock without a second thread")

    def test_the_thread_sanitizer_knows_the_lock(self):
        program = self.folder / "shared_stream"
        compile_program(HERE / "shared_stream.c", program, *SWITCH, "-DSLUICE_STDIO_LOCKED", "-O2",
                        "-fsanitize=thread", "-pthread")
        # The sanitizer of gcc 12 fails at random if the kernel shuffles addresses widely.
        fixed = ["setarch", "-R"] if subprocess.run(["setarch", "-R", "true"], check=False,
                                                    capture_output=True).returncode == 0 else []
        done = subprocess.run([*fixed, program], check=False, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(done.stdout.count(b"\n"), 4000)

    def test_formats_that_the_compiler_knows_give_the_same_texts_and_results(self):
        source = HERE / "known_formats.c"
        plain = self.folder / "known_formats"
        compile_program(source, plain)
        expected = self.outcome(plain, str(self.folder / "out"))
        self.assertEqual(expected[0], 0)
        for options in itertools.product((CC, CXX), ("-O0", "-O2"),
                                         ([], ["-DSLUICE_STDIO_LOCKED"])):
            compiler, optimization, lock = options
            language = "c++" if compiler == CXX else "c"
            subprocess.run([compiler, optimization, *SWITCH, *lock, "-x", language, str(source),
                            "-x", "none", LIBRARY, "-pthread", "-o", str(plain)], check=True)
            self.assertEqual(self.outcome(plain, str(self.folder / "out")), expected, options)

    def test_the_compiler_checks_each_format_that_it_knows(self):
        wrong = 'void f(FILE* o) { fprintf(o, "%d\\n", "x"); printf("%s"); fprintf(o, "%c", "x"); }'
        for optimization in ("-O0", "-O2"):
            for lock in ([], ["-DSLUICE_STDIO_LOCKED"]):
                done = subprocess.run([CC, optimization, "-Wall", *SWITCH, *lock, "-x", "c", "-c",
                                       "-", "-o", os.devnull], input=wrong, text=True,
                                      capture_output=True, check=False)
                self.assertEqual(done.stderr.count("[-Wformat"), 3, done.stderr)

    def test_cpp_sources_with_and_without_locks_keep_their_own_calls(self):
        objects = []
        for name, switch in (("locked", ["-DSLUICE_STDIO_LOCKED"]), ("bare", [])):
            text = f"int {name}(FILE* file) {{ return fputc('x', file); }}\n"
            objects.append(self.folder / f"{name}.o")
            subprocess.run([CXX, "-O0", *SWITCH, *switch, "-x", "c++", "-c", "-", "-o",
                            str(objects[-1])], input=text, text=True, check=True)
        for order in (objects, objects[::-1]):
            whole = self.folder / "whole.o"
            subprocess.run(["ld", "-r", "-o", str(whole), *map(str, order)], check=True)
            code = subprocess.run(["objdump", "-d", "--demangle", str(whole)], text=True,
                                  capture_output=True, check=True).stdout
            # Clang mangles the names of static functions.
            locked = re.findall(r"sluice_stdio_locked_fputc(?:\(.*\))?>:", code)
            self.assertEqual(len(locked), 1)
            callers = code.count("<fputc(int, sluice_FILE*)>:")
            self.assertEqual(callers, 2, "one of the two sources has the other's fputc()")

    def test_the_remedies_for_two_buffers_keep_the_order(self):
        text = ("#include <cstdio>\n#include <iostream>\n"
                "static int own(const char* text) { return puts(text); }\n"
                "int main() { std::printf(\"1\\n\"); fflush(stdout);\n"
                "std::cout << \"2\\n\"; std::cout.flush(); int (*out)(const char*) = own;\n"
                "out(\"3\"); fflush(stdout); std::cout << std::unitbuf << \"4\\n\";\n"
                "puts(\"5\"); }\n")
        source, program = self.folder / "mixed.cc", self.folder / "mixed"
        source.write_text(text)
        subprocess.run([CXX, *SWITCH, str(source), "-o", str(program), LIBRARY, "-pthread"],
                       check=True)
        self.assertEqual(self.outcome(program), (0, b"1\n2\n3\n4\n5\n", b""))

    def test_a_thread_that_waits_for_input_does_not_keep_the_program(self):
        program = self.folder / "waiting_reader"
        compile_program(HERE / "waiting_reader.c", program, *SWITCH, "-DSLUICE_STDIO_LOCKED")
        with subprocess.Popen([program], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as running:
            self.assertEqual(running.wait(10), 0)
            self.assertEqual(running.stdout.read(), b"the last words\n")

    def test_a_signal_interrupts_a_call_as_with_the_c_library(self):
        plain, switched = self.both("interrupted")
        self.assertEqual(self.outcome(switched), self.outcome(plain))
        self.assertIn(b"Interrupted system call", self.outcome(switched)[1])

    def test_odd_system_calls_lose_nothing_silently(self):
        program = self.folder / "odd_calls"
        compile_program(HERE / "odd_calls.c", program, *SWITCH)
        letters = b"abcdefghijklmnopqrstuvwxyz" * 4000
        whole = letters[:10] + b"0123456789" + letters[20:100_000]
        failed = b": -1 Input/output error\n"
        for oddity, told, contents in (
                ("half", b"fflush: 0 \nfseek: 0 \nfclose: 0 \n", whole),
                ("close", b"fflush: 0 \nfseek: 0 \nfclose" + failed, whole),
                # A write that takes no byte is a failure and not a loop without an end.
                ("nothing", b"fflush" + failed + b"fseek: 0 \nfclose" + failed, b"")):
            with self.subTest(oddity=oddity):
                self.assertEqual(self.outcome(program, "file", oddity), (0, told, b""))
                self.assertEqual((self.folder / "file").read_bytes(), contents)

    def test_a_question_stands_on_the_terminal_before_its_answer_is_read(self):
        for program in self.both("question"):
            ours, of_program = pty.openpty()
            with subprocess.Popen([program], stdin=of_program, stdout=of_program) as running:
                os.close(of_program)
                seen = read_until(ours, b"your name? ")
                os.write(ours, b"nobody\n")
                seen += read_until(ours, b"hello nobody\r\n")
            os.close(ours)
            self.assertEqual(seen, b"your name? nobody\r\nhello nobody\r\n")
            self.assertEqual(running.returncode, 0)


class Compiling(Folder):
    def test_what_is_not_switched_is_one_clear_message(self):
        names = (pathlib.Path(INCLUDE) / "sluice" / "stdio_names.h").read_text()
        refused = re.findall(r"#define (\w+)\(\.\.\.\)\s*\\?\s*SLUICE_STDIO_REFUSED", names)
        self.assertGreater(len(refused), 20)
        # The compiler shows the first of several strings alone.
        self.assertIsNone(re.search(r'" \\\n\s+"', names))
        for name in refused:
            call = name + "(0)"
            for compiler, language in ((CC, "c"), (CXX, "c++")):
                found = complaints(f"void f(void) {{ (void){call}; }}\n", compiler, (), language)
                self.assertEqual(len(found), 1, found)
                self.assertIn(f"sluice/stdio.h has no {call.split('(')[0]}(): ", found[0])

    def test_every_call_of_the_system_that_takes_a_file_is_switched_or_refused(self):
        def preprocessed(options, language="c"):
            text = "#include <stdio.h>\n#include <stdio_ext.h>\n#include <wchar.h>\n"
            return subprocess.run([CC, "-D_GNU_SOURCE", "-E", *options, "-x", language, "-"],
                                  input=text, capture_output=True, text=True, check=True).stdout

        plain = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", preprocessed(["-P"]))
        names = {name for whole, name in
                 re.findall(r"extern\s+([^;{]*?\b(\w+)\s*\([^;]*\))[^;()]*;", plain)
                 if re.search(r"\b(__)?FILE\b", whole)}
        names -= {"__getdelim", "__overflow", "__uflow"}  # no source of a program calls these
        self.assertGreater(len(names), 70)
        for language in ("c", "c++"):
            switched = set(re.findall(r"#define (\w+)", preprocessed([*SWITCH, "-dM"], language)))
            switched |= set(re.findall(r"\b(\w+)\([^;{]*?\bsluice_FILE\b[^;{]*\{",
                                       preprocessed([*SWITCH, "-P"], language)))
            self.assertEqual(sorted(names - switched), [], language)

    def test_a_file_of_other_code_does_not_compile(self):
        before = self.folder / "other.h"
        before.write_text("#include <stdio.h>\nFILE* open_it(void);\nvoid use_it(FILE*);\n")
        options = ("-include", str(before))
        for body in ("FILE* mine = open_it(); (void)mine;", "use_it(stdout);"):
            for compiler, language in ((CC, "c"), (CXX, "c++")):
                result = subprocess.run(
                    [compiler, *options, *SWITCH, "-x", language, "-fsyntax-only", "-"],
                    input=f"void f(void) {{ {body} }}\n", capture_output=True, text=True)
                self.assertNotEqual(result.returncode, 0, body)
                self.assertIn("sluice_FILE", result.stderr)

    def test_in_c_the_header_of_a_library_may_come_after_the_switch(self):
        # <resolv.h>, like the header of any library, is below /usr/include.
        library = ("#include <stdio.h>\n#include <resolv.h>\n"
                   "void f(FILE* file) { unsigned char m[9] = {0}; fp_nquery(m, 9, file); }\n")
        warnings = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
        for standard in ("-std=gnu89", "-std=c99", "-std=gnu17"):
            found = complaints(library, CC, (standard, "-Wall", "-Wextra"))
            self.assertEqual(len(found), 1, found)
            self.assertIn("incompatible", found[0])
        self.assertEqual(complaints(library, CC, ("-DSLUICE_STDIO_LIBRARIES_SWITCHED",)), [])
        (self.folder / "own.h").write_text("int own(FILE* file);\nextern FILE* known[3];\n")
        own = ("#include \"own.h\"\nint f(const FILE* file) "
               "{ struct { FILE* held; } kept = { known[0] };\n"
               "return own(kept.held) + (file == NULL) + (sizeof(FILE) == sizeof *file); }\n")
        self.assertEqual(complaints(own, CC, ("-std=c11", f"-I{self.folder}", *warnings)), [])

    def test_an_old_standard_gives_no_warning_but_one_of_each_headers_comments(self):
        for locked in ((), ("-DSLUICE_STDIO_LOCKED",)):
            result = subprocess.run(
                [CC, *SWITCH, *locked, "-std=gnu89", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-x",
                 "c", "-fsyntax-only", "-"], capture_output=True, text=True,
                input="int f(FILE* file) { return fprintf(file, \"%d\", fgetc(file)); }\n")
            warnings = [line for line in result.stderr.splitlines()
                        if "warning:" in line and "C++ style comments" not in line]
            self.assertEqual(warnings, [])

    def test_the_program_may_name_the_folder_of_a_library(self):
        folder = self.folder / "library"
        folder.mkdir()
        (folder / "library.h").write_text(
            "#ifdef __cplusplus\nextern \"C\"\n#endif\nint of_library(FILE* file);\n")
        own = "int f(FILE* file) { return file == stdin; }\n"
        source = f"#include <stdio.h>\n#include <library.h>\n{own}"
        mixing = source + "int g(FILE* file) { return of_library(file); }\n"
        own_in_std = own.replace("FILE", "std::FILE")
        include = f"-I{folder}"
        named = f"-DSLUICE_STDIO_LIBRARIES_IN=\"{folder}/\""
        of_cpp = [(CXX, "c++", standard) for standard in ("-std=c++11", "-std=c++20")]
        of_c = [(CC, "c", standard) for standard in ("-std=gnu89", "-std=gnu17")]
        for compiler, language, standard in of_c + of_cpp:
            with self.subTest(standard):
                self.assertEqual(complaints(mixing, compiler, (standard, include), language), [])
                strict = (standard, include, named, "-Wall", "-Wextra")
                right = source if language == "c" else source + own_in_std.replace("f(", "h(")
                self.assertEqual(complaints(right, compiler, strict, language), [])
                self.assertNotEqual(complaints(mixing, compiler, strict, language), [])

    def test_glibc_ends_the_program_that_hides_the_type(self):
        source = self.folder / "hidden.c"
        source.write_text("#include <stdio.h>\nint (*volatile hidden)(int, void*);\n"
                          "extern int _IO_putc(int, void*);\n"
                          "int main(void) { return _IO_putc('x', stdout); }\n")
        compile_program(source, self.folder / "hidden", *SWITCH)
        code, _, told = self.outcome(self.folder / "hidden")
        self.assertEqual(code, -6)
        self.assertIn(b"invalid stdio handle", told)

    def test_names_of_a_program_may_be_those_of_stdio(self):
        text = ("__attribute__((format(printf, 1, 2))) void say(const char*, ...);\n"
                "struct table { int (*fputc)(int); int getc; int printf; };\n"
                "int use(struct table* t) { return t->fputc(1) + t->getc + t->printf; }\n")
        self.assertEqual(complaints(text, CC, ("-std=c11", "-Werror", "-Wall", "-Wextra")), [])

    def test_the_source_asks_for_features_after_the_switch(self):
        gnu = ("#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n"
               "#include <string.h>\n"
               "int f(char* text) { char* path = canonicalize_file_name(text);\n"
               "return memmem(path, 1, text, 1) == NULL || asprintf(&text, \"%s\", path) < 0; }\n")
        # This memmem() and this strerror_r() are not GNU's.
        strict = ("#define _POSIX_C_SOURCE 200809L\n#include <stdio.h>\n#include <string.h>\n"
                  "static void* memmem(int byte) { return byte == 0 ? NULL : stdout; }\n"
                  "int f(char* text) { return strerror_r(1, text, 9) + (memmem(1) == NULL); }\n")
        none = ("#include <stdlib.h>\n#ifdef _GNU_SOURCE\n#error all features\n#endif\n"
                "static int secure_getenv(int a) { return a; }\n"
                "int f(void) { return secure_getenv(1); }\n")
        for text in (gnu, strict, none):
            for standard in ("-std=c99", "-std=gnu99", "-std=c11", "-std=gnu17"):
                with self.subTest(text=text, standard=standard):
                    found = complaints(text, CC, (standard, "-Wall", "-Wextra", "-Werror"))
                    self.assertEqual(found, [])

    def test_calls_of_other_headers_that_take_a_file_do_not_compile(self):
        headers = "".join(f"#include <{name}.h>\n" for name in
                          ("grp", "gshadow", "malloc", "mntent", "printf", "pwd", "shadow"))
        for call in ("fgetpwent(stdin)", "fgetpwent_r(stdin, 0, 0, 0, 0)", "putpwent(0, stdout)",
                     "fgetgrent(stdin)", "fgetgrent_r(stdin, 0, 0, 0, 0)", "putgrent(0, stdout)",
                     "fgetspent(stdin)", "fgetspent_r(stdin, 0, 0, 0, 0)", "putspent(0, stdout)",
                     "fgetsgent(stdin)", "fgetsgent_r(stdin, 0, 0, 0, 0)", "putsgent(0, stdout)",
                     "setmntent(0, 0)", "getmntent(stdin)", "getmntent_r(stdin, 0, 0, 0)",
                     "addmntent(stdout, 0)", "endmntent(stdin)", "malloc_info(0, stdout)",
                     "register_printf_specifier(0, 0, 0)"):
            for feature in ("", "#define _GNU_SOURCE\n"):
                text = f"{feature}{headers}void f(void) {{ (void){call}; }}\n"
                found = [line for line in complaints(text, compile_to="-c")
                         if "sluice/stdio.h has no" in line]
                self.assertEqual(len(found), 1, call)
                self.assertIn(f"sluice/stdio.h has no {call.split('(')[0]}(): ", found[0])

    def test_a_call_without_a_declaration_is_an_error_that_can_be_switched_off(self):
        text = "int main(void) { return helper(3); }\n"
        self.assertEqual(len(complaints(text, CC, ("-std=gnu99",))), 1)
        self.assertEqual(complaints(text, CC, ("-std=gnu99", "-DSLUICE_STDIO_IMPLICIT_CALLS",
                                               "-Wno-implicit-function-declaration")), [])

    def test_a_program_may_bring_headers_that_want_config_h_first(self):
        for name in ("stdio", "wchar"):
            (self.folder / f"{name}.h").write_text(
                f"#if !defined CONFIGURED && !defined _GL_ALREADY_INCLUDING_{name.upper()}_H\n"
                f"#error config.h comes first\n#endif\n#include_next <{name}.h>\n")
        (self.folder / "argp.h").write_text(
            "#ifndef CONFIGURED\n#error config.h comes first\n#endif\n#include <stdio.h>\n"
            "int argp_parse(const char*);\nvoid argp_help(const char*, FILE*);\n")
        text = ("#define CONFIGURED\n#include <stdio.h>\n#include <wchar.h>\n#include <argp.h>\n"
                "void argp_help(const char* text, FILE* file) { fputs(text, file); }\n"
                "int argp_parse(const char* text) { argp_help(text, stdout); return 0; }\n"
                "int main(void) { return argp_parse(\"bundled\"); }\n")
        (self.folder / "own.c").write_text(text)
        compile_program(self.folder / "own.c", self.folder / "own", f"-I{self.folder}", *SWITCH)
        self.assertEqual(self.outcome(self.folder / "own"), (0, b"bundled", b""))
        self.assertEqual(complaints(text, CXX, (f"-I{self.folder}",), "c++"), [])

    def test_the_argp_of_the_c_library_is_used_only_without_its_streams(self):
        source = self.folder / "argp.c"
        text = ("#include <argp.h>\n#include <stdio.h>\n"
                "static int parse(int key, char* text, struct argp_state* state) {\n"
                "(void)text; if (key == 'x') { %s; } return key == 'x' ? 0 : ARGP_ERR_UNKNOWN; }\n"
                "static struct argp_option options[] = {{\"x\", 'x', 0, 0, 0, 0}, {0}};\n"
                "static struct argp argp = {options, parse, 0, 0, 0, 0, 0};\n"
                "int main(int n, char** words) { return argp_parse(&argp, n, words, 0, 0, 0); }\n")
        harmless = text % "(void)state; puts(\"parsed\")"
        source.write_text(harmless)
        program = self.folder / "argp"
        result = subprocess.run([CC, *SWITCH, str(source), "-o", str(program), LIBRARY],
                                capture_output=True, text=True)
        self.assertIn("SLUICE_STDIO_ARGP", result.stderr)
        compile_program(source, program, "-DSLUICE_STDIO_ARGP", *SWITCH)
        self.assertEqual(self.outcome(program, "-x"), (0, b"parsed\n", b""))
        mixed = complaints(text % "fputs(\"x\", state->out_stream)", CC, ("-DSLUICE_STDIO_ARGP",))
        self.assertEqual(len(mixed), 1, mixed)

    def test_names_of_a_program_may_be_those_of_other_headers(self):
        text = ("struct group { int a; };\nstruct passwd { int a; };\n"
                "enum { PA_INT, M_MXFAST };\nstatic int basename(int a) { return a; }\n"
                "int use(struct group* g, struct passwd* p) { return basename(g->a + p->a); }\n")
        self.assertEqual(complaints(text, CC, ("-Werror", "-Wall", "-Wextra")), [])

    def test_cpp_has_the_names_in_std_too(self):
        text = ("#include <cstdio>\n#include <iostream>\n#include <memory>\n#include <string>\n"
                "int f() { std::FILE* file = std::fopen(\"x\", \"r\"); std::string line;\n"
                "std::getline(std::cin, line); std::fprintf(file, \"%d\", 1);\n"
                "std::printf(\"%s\", line.c_str()); std::fputs(\"x\", file); fputc('x', file);\n"
                "std::perror(\"x\"); perror(\"x\");\n"
                "std::fflush(nullptr); return std::fclose(file) + std::getc(stdin); }\n"
                "std::unique_ptr<FILE, decltype(&fclose)> held(std::fopen(\"x\", \"r\"), fclose);\n"
                "std::unique_ptr<FILE, decltype(&std::fclose)> other(stdin, &pclose);\n")
        warnings = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow",
                    "-Wold-style-cast", "-Werror")
        for standard in ("-std=c++11", "-std=c++20"):
            for switch in ((), ("-DSLUICE_STDIO_LOCKED",)):
                found = complaints(text, CXX, (standard, *warnings, *switch), "c++")
                self.assertEqual(found, [])

    def test_the_portable_pair_is_one_spelling(self):
        source = self.folder / "pair.c"
        source.write_text('#define _GNU_SOURCE\n#include <stdio.h>\n'
                          '#define SLUICE_STDIO_PAIR_ONLY\n#include "sluice/stdio.h"\n'
                          'int main(void) { char text[3] = "";\n'
                          'return sluice_fwrite_unlocked("ok", 1, 2, stdout) != 2 ||\n'
                          'sluice_fread_unlocked(text, 1, 2, stdin) != 2; }\n')
        compile_program(source, self.folder / "pair", f"-I{INCLUDE}")
        self.assertEqual(self.outcome(self.folder / "pair", stdin=b"in")[:2], (0, b"ok"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
