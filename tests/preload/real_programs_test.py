#!/usr/bin/env python3
"""Programs that everybody has do the same by `sluice run` as without it.

A program that is not installed is skipped, with the Debian package that has it.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import both_ways
import real_inputs

SKIPPED = []  # a line for every test, or part of one, that was skipped
DATA = pathlib.Path(tempfile.mkdtemp(prefix="sluice-real-programs-"))
TEXT = DATA / "text"
BINARY = DATA / "binary"
PICTURE = DATA / "picture.ppm"
ALIGNMENTS = DATA / "alignments.sam"
PACKETS = DATA / "packets.pcap"
TREE = DATA / "tree"
JEMALLOC = "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2"


def setUpModule():
    real_inputs.write_text(TEXT, 30_000)
    real_inputs.write_binary(BINARY, 500_000)
    real_inputs.write_ppm(PICTURE, 500, 300)
    real_inputs.write_sam(ALIGNMENTS, 6_000, 100_000)
    real_inputs.write_pcap(PACKETS, 15_000)
    real_inputs.write_tree(TREE, 60, 20_000)


def tearDownModule():
    shutil.rmtree(DATA)
    print(f"{len(SKIPPED)} skipped", *SKIPPED, sep="\n  ", file=sys.stderr)


class RealProgramTest(both_ways.BothWaysTest):
    """Programs in an environment that is the same every time."""
    run_options = ()
    environment = {}

    def setUp(self):
        super().setUp()
        self.home = self.root / "home"
        self.home.mkdir()

    def note_skipped(self, reason):
        SKIPPED.append(f"{self.id().removeprefix('__main__.')}: {reason}")

    def skip(self, reason):
        self.note_skipped(reason)
        self.skipTest(reason)

    def needs(self, package, *programs):
        for program in programs:
            if shutil.which(program) is None:
                self.skip(f"no {program} (Debian package {package})")

    def has(self, program):
        """For one program among those of a test."""
        found = shutil.which(program) is not None
        if not found:
            self.note_skipped(f"no {program}")
        return found

    def execute(self, words, **options):
        fixed = {"LC_ALL": "C", "TZ": "UTC", "HOME": str(self.home)}
        options = {"env": {**os.environ, **fixed, **self.environment}, **options}
        return super().execute(words, **options)

    def expect_work(self, *words, text=None, **how):
        """The results are the same both ways, and the program does not fail."""
        result = self.expect_same(words, *self.run_options, text=text, **how)
        self.assertEqual(0, result.returncode, result.stderr[-500:])
        return result

    def expect_output(self, *words, text=None, **how):
        """Output to a pipe, and to a file that the program's messages go to as well."""
        self.expect_work(*words, text=text, **how)
        self.expect_work("sh", "-c", 'exec "$@" > output 2>&1', "sh", *words, text=text, **how)
        self.assertGreater((self.folder / "output").stat().st_size, 0)

    def expect_script(self, script, text=None):
        """A script for the shell, that knows the inputs by their names."""
        inputs = {"TEXT": TEXT, "BINARY": BINARY, "PICTURE": PICTURE, "PACKETS": PACKETS,
                  "ALIGNMENTS": ALIGNMENTS, "TREE": TREE}
        settings = [f"{name}={path}" for name, path in inputs.items()]
        self.expect_work("sh", "-ec", "; ".join([*settings, script]), text=text)

    def expect_rest(self, command):
        """The rest of the input that a program shares with other processes."""
        self.expect_script(f"{{ {command}; cat; }} > output", text=TEXT.read_bytes())


class Awk:
    """Work that both implementations can do."""

    def expect_awk(self, awk):
        self.expect_output(awk, "{ print $2, length($0) } END { print NR }", TEXT)
        self.expect_output(awk, '{ printf "%s-%d;", $1, NF }', TEXT)
        self.expect_output(awk, 'NR % 9000 == 0 { print NR > "/dev/stderr" } { print }', TEXT)
        self.expect_output(awk, 'NR % 9000 == 0 { system("echo in between") } { print }', TEXT)
        self.expect_work(awk, '{ print > ("part" NR % 7) }', TEXT)
        self.expect_work(awk, '{ print | "sort -n > sorted" }', TEXT)
        self.expect_work(awk, '{ print > "copy" } END { close("copy"); "wc -c < copy" | getline n;'
                              ' while ((getline line < "copy") > 0) sum += length(line);'
                              ' print n, sum }', TEXT)
        self.expect_work(awk, '{ print > "copy" } NR % 9000 == 0 { system("wc copy") }', TEXT)
        self.expect_work(awk, '{ print > "log" } NR % 9000 == 0 { fflush("log"); '
                              'system("wc -c log") }', TEXT)
        self.expect_script(f"{awk} 'NR == 20000 {{ exit }} {{ print }}' $TEXT > output")
        self.expect_rest(f"{awk} 'NR == 20000 {{ exit }}'")


class Programs(Awk, RealProgramTest):
    """Each does its work in a few ways."""

    def test_gawk(self):
        self.needs("gawk", "gawk")
        self.expect_awk("gawk")

    def test_mawk(self):
        self.needs("mawk", "mawk")
        self.expect_awk("mawk")

    def test_xxd(self):
        self.needs("xxd", "xxd")
        self.expect_output("xxd", BINARY)
        self.expect_work("xxd", "-p", BINARY, "output")
        self.expect_work("xxd", "-s", "1000", "-l", "300000", BINARY, "output")
        self.expect_work("xxd", "-i", "-l", "100000", BINARY, "output")
        self.expect_script("xxd $BINARY > hex; xxd -r hex > back; xxd -r -s 100 hex back2")
        self.expect_script("xxd -p $BINARY | xxd -r -p | cmp - $BINARY")
        self.expect_rest("xxd -l 300000")

    def test_hexdump(self):
        self.needs("bsdextrautils", "hexdump")
        self.expect_output("hexdump", "-C", BINARY)
        self.expect_output("hexdump", "-C", "-s", "100000", "-n", "100000", BINARY, PICTURE)
        self.expect_rest("hexdump -C -n 300000")

    def test_rev_of_wide_characters(self):
        self.needs("util-linux", "rev")
        self.expect_output("env", "LC_ALL=C.UTF-8", "rev", TEXT)

    def test_pnmtoplainpnm(self):
        self.needs("netpbm", "pnmtoplainpnm", "pamflip")
        self.expect_output("pnmtoplainpnm", PICTURE)
        self.expect_script("pnmtoplainpnm < $PICTURE > plain; pamflip -tb plain > turned")

    def test_sqlite3(self):
        self.needs("sqlite3", "sqlite3")
        fill = ("CREATE TABLE t(a INTEGER, b TEXT, c BLOB); WITH RECURSIVE n(i) AS (VALUES(1) "
                "UNION ALL SELECT i+1 FROM n WHERE i<20000) INSERT INTO t "
                "SELECT i, 'row number ' || i, zeroblob(i % 50) FROM n;")
        self.expect_script(f'sqlite3 base "{fill}"; sqlite3 base .dump > dump; sqlite3 base .dump; '
                           "sqlite3 copy < dump; sqlite3 copy .dump | cmp - dump")
        self.expect_script(f'sqlite3 base "{fill}"; sqlite3 base ".mode csv" ".once rows" '
                           '"SELECT * FROM t" ".system wc rows" "CREATE TABLE u(a, b, c)" '
                           '".import rows u" "SELECT count(*), sum(length(b)) FROM u"')
        self.expect_script(f'sqlite3 base "{fill}"; sqlite3 base ".output rows" '
                           '"SELECT a, b FROM t" ".system wc rows" ".print end" "SELECT 1"')
        self.expect_script(f'sqlite3 base "{fill}"; sqlite3 base "SELECT a, b FROM t" ".nothing" '
                           '"SELECT a FROM t" "SELECT nothing" > output 2>&1 || echo $?')

    def test_samtools(self):
        self.needs("samtools", "samtools")
        self.expect_output("samtools", "depth", "-a", ALIGNMENTS)
        self.expect_script("samtools view --no-PG -b $ALIGNMENTS > bam; samtools index bam; "
                           "samtools depth bam > depth; samtools view --no-PG -h bam > sam; "
                           "samtools mpileup bam > pileup; samtools flagstat bam; "
                           "samtools sort --no-PG -n -O sam -o sorted bam")

    def test_bedtools(self):
        self.needs("samtools", "samtools")
        self.needs("bedtools", "bedtools")
        self.expect_script("samtools view -b $ALIGNMENTS > bam; bedtools genomecov -d -ibam bam; "
                           "bedtools genomecov -d -ibam bam > depth; bedtools bamtobed -i bam > "
                           "bed; bedtools genomecov -bga -ibam bam > graph; rm bam")

    def test_tcpdump(self):
        self.needs("tcpdump", "tcpdump")
        user = ["-Z", "root"] if os.geteuid() == 0 else []
        self.expect_output("tcpdump", *user, "-nn", "-tt", "-v", "-r", PACKETS)
        for options in ((), ("-U",), ("-C", "1")):
            self.expect_work("tcpdump", *user, *options, "-r", PACKETS, "-w", "copy")
        self.expect_script(f"tcpdump {' '.join(user)} -r - -w - udp < $PACKETS > copy")

    def test_php(self):
        self.needs("php8.2-cli", "php")
        loop = 'for ($i = 0; $i < 30000; $i++)'
        self.expect_work("php", "-n", "-r", f'$f = fopen("output", "w"); {loop} '
                                            'fwrite($f, "line $i\\n"); fclose($f);')
        self.expect_output("php", "-n", "-r", f'{loop} echo "line $i\\n";')
        self.expect_output("php", "-n", "-r", f'{loop} fputcsv(STDOUT, [$i, "a b", "c\\"d"]);')
        self.expect_output("php", "-n", "-r", f'$f = fopen("{TEXT}", "r"); '
                                              "while (($l = fgets($f)) !== false) echo strrev($l);")
        self.expect_output("php", "-n", "-r", f'{loop} {{ echo "line $i\\n"; '
                                              'if ($i % 9999 == 0) system("echo between"); }')

    def test_perl(self):
        self.needs("perl", "perl")
        loop = "for my $i (1 .. 30000)"
        self.expect_work("perl", "-e", 'open(my $f, ">", "output"); ' + loop +
                         ' { syswrite($f, "line $i\\n"); }')
        self.expect_output("perl", "-e", loop + ' { print "line $i\\n"; }')
        self.expect_output("perl", "-e", loop + ' { print "line $i\\n"; warn "at $i\\n" '
                           'if $i % 9000 == 0; system("echo between") if $i % 9000 == 1; }')
        self.expect_output("perl", "-ne", "print scalar reverse $_", TEXT)
        self.expect_script("cp $TEXT text; perl -pi.old -e 's/alpha/omega/' text")

    def test_dash(self):
        self.needs("dash", "dash")
        loop = "i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i + 1)); done"
        self.expect_output("dash", "-c", loop)
        self.expect_work("dash", "-c", f"{{ {loop}; }} > output; cat output")
        self.expect_work("dash", "-c", loop.replace("line $i", "line $i >> output"))
        self.expect_work("dash", "-c", f"head -n 3000 {TEXT} | while read -r first rest; do "
                                       'echo "$rest"; done > output')

    def test_cpio(self):
        self.needs("cpio", "cpio")
        self.expect_script("(cd $TREE; find . | sort) > list; (cd $TREE; cpio -o -H newc) < list > "
                           "archive; mkdir there; cd there; cpio -i -d -m < ../archive; "
                           "cpio -t -v < ../archive")
        self.expect_script("cd $TREE; find . | sort | cpio -o -H crc -O $OLDPWD/archive; cd -; "
                           "mkdir there; cd there; cpio -i -d -I ../archive 'part1/*'")

    def test_dd(self):
        self.expect_work("dd", f"if={BINARY}", "of=output", "status=noxfer")
        self.expect_output("dd", f"if={BINARY}", "status=noxfer", "conv=swab")
        self.expect_script("cp $BINARY output; dd if=$BINARY of=output bs=7 count=30000 seek=11 "
                           "skip=500 conv=notrunc status=noxfer")
        self.expect_rest("dd bs=1000 count=300 status=noxfer")

    def test_sort(self):
        self.expect_output("sort", TEXT)
        self.expect_output("sort", "--parallel=2", "-n", "-k1,1", "-u", TEXT)
        self.expect_output("sort", "-S", "200k", "-T", ".", "--batch-size=5", "-k2", TEXT)
        self.expect_work("sort", "-R", "--random-source", BINARY, "-o", "output", TEXT)
        self.expect_script("cp $TEXT text; sort -o text text; sort -c text; sort -m text $TEXT")

    def test_sed(self):
        self.expect_output("sed", "s/alpha/omega/g", TEXT)
        self.expect_output("sed", "-n", "9000~2000e echo in between\n9000~7p", TEXT)
        self.expect_work("sed", "-n", "/needle/w marked\n/42/w numbers\n3000r marked\n$=", TEXT)
        self.expect_script("cp $TEXT text; sed -i.old -e '/needle/d' -e 's/ /\\n/' text")
        self.expect_script("sed 20000q $TEXT nothing > output 2>&1")
        self.expect_rest("sed 20000q")
        self.expect_rest("sed --unbuffered 2000q")

    def test_tar(self):
        self.expect_script("tar -C $TREE --sort=name -cf archive .; mkdir there; "
                           "tar -C there -xvf archive; tar -tvf archive > list")
        self.expect_script("tar -C $TREE --sort=name -c . | gzip -n > archive; "
                           "tar -xzf archive --to-stdout > all; tar --diff -C $TREE -f archive")

    def test_svn_import(self):
        self.needs("subversion", "svn", "svnadmin")
        self.expect_script(
            "run='svn --config-dir config --non-interactive'; "
            "svnadmin create repository; $run import -q -m message $TREE file://$PWD/repository; "
            "$run export -q file://$PWD/repository exported; $run ls -R file://$PWD/repository; "
            "$run cat file://$PWD/repository/part1/file1; svnadmin dump -q repository | wc -l; "
            "rm -rf repository config")

    def test_git(self):
        self.needs("git", "git")
        self.expect_script("git init -q -b main .; id=$(git hash-object -w $TEXT); "
                           "git cat-file -p $id > back; git cat-file blob $id; "
                           "find $TREE -type f | LC_ALL=C sort | git hash-object -w --stdin-paths;"
                           "git cat-file --batch-all-objects --batch > all")
        self.expect_script("git init -q -b main .; export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e "
                           "GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e "
                           "GIT_AUTHOR_DATE='1000000000 +0000' "
                           "GIT_COMMITTER_DATE='1000000000 +0000'; cp -r $TREE tree; "
                           "git add tree; git commit -q -m message; git archive HEAD > archive; "
                           "git log -p --stat --binary > log; git fast-export HEAD > exported; "
                           "rm .git/index")

    def test_grep(self):
        self.expect_output("grep", "needle", TEXT)
        self.expect_output("grep", "-n", "-v", "-i", "-C1", "ALPHA", TEXT)
        self.expect_script("grep needle $TEXT nothing > output 2>&1 || echo $?")
        self.expect_script("grep -c needle $TEXT; grep -o 'a[a-z]*' < $TEXT > output")
        self.expect_rest("grep -m 2000 needle")

    def test_cut(self):
        self.expect_output("cut", "-d", " ", "-f", "2,4-", TEXT)
        self.expect_output("cut", "-b", "1-5,9", TEXT)
        self.expect_script("cut -c 3- - $TEXT nothing > output 2>&1 || echo $?",
                           text=TEXT.read_bytes())

    def test_tee(self):
        self.expect_output("tee", "one", "two", text=TEXT.read_bytes())
        self.expect_script("tee one < $TEXT | tee two > three; tee -a one < $TEXT | cut -c 1")

    def test_wc(self):
        self.expect_output("wc", TEXT, BINARY)
        self.expect_output("wc", "-L", "-m", text=TEXT.read_bytes())

    def test_python3(self):
        loop = "for i in range(30000):"
        self.expect_output(sys.executable, "-c", f"{loop} print('line', i)")
        self.expect_work(sys.executable, "-c",
                         f"with open('output', 'w') as f:\n {loop} f.write(f'line {{i}}\\n')")
        self.expect_rest(f"{sys.executable} -c 'import sys; sys.stdin.readline()'")

    def test_other_programs_for_text(self):
        for line in ("od -A x -t x1z $BINARY", "tr a-m n-z < $TEXT", "uniq -c $TEXT", "nl $TEXT",
                     "paste $TEXT $TEXT", "fold -w 30 $TEXT", "tac $TEXT", "base64 $BINARY",
                     "expand $TEXT", "fmt $TEXT", "seq 50000", "join $TEXT $TEXT 2>&1 || echo $?",
                     "pr -h name -D date $TEXT", "cksum $TEXT", "seq 3000 | factor",
                     "shuf --random-source=$BINARY $TEXT", "numfmt --to=si < $TEXT || echo $?",
                     "head -n 20000 $TEXT", "tail -n 20000 $TEXT", "split -l 5000 $TEXT; wc x*",
                     "csplit -s $TEXT 5000 15000; wc x*", "cmp -l $TEXT $BINARY 2>&1 || echo $?",
                     "sort $TEXT | diff $TEXT - || echo $?", "printf '%s\\n' $(seq 20000)",
                     "comm $TEXT $TEXT 2>&1 || echo $?", "yes | head -n 50000", "cat -A $BINARY",
                     "sha1sum $TEXT $BINARY", "find $TREE -printf '%P %s %t\\n' | sort",
                     "ls -lR --time-style=+%s $TREE", "find $TREE -type f | sort | xargs wc"):
            with self.subTest(line=line):
                self.expect_script(line)
                self.expect_script(f"{{ {line}; }} > output")

    def test_other_programs_that_share_their_input(self):
        for command in ("head -n 20000", "head -c 300000", "head -c 1", "wc -c", "od -N 300000",
                        "read line", "true", "tail -n +20000", "uniq -c", "cmp -n 9 - $BINARY || :",
                        "nl", "xargs -n 100 echo", "tr a b"):
            with self.subTest(command=command):
                self.expect_rest(command)


class ProgramsWithCoalescedWrites(Programs):
    run_options = ("--coalesce",)


class OtherLibraries(RealProgramTest):
    """Objects that are preloaded already stay in front of the object of `sluice run`."""
    traced = True

    def expect_some_programs(self, library, **how):
        self.environment = {**self.environment, "LD_PRELOAD": str(library)}
        result = self.execute(["cat", "/proc/self/maps"], **how)
        if os.path.realpath(library).encode() not in result.stdout:
            self.skip(f"{library} cannot be preloaded: {result.stderr[-200:]}")
        programs = {
            "mawk": ["{ print $2, length($0) }", TEXT], "xxd": [BINARY], "sort": [TEXT],
            "sqlite3": [":memory:", "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 "
                                    "FROM n WHERE i<20000) SELECT i, 'row' FROM n"],
            "sed": ["-n", "s/alpha/omega/w marked", TEXT], "pnmtoplainpnm": [PICTURE],
            "cut": ["-b", "1-5,9", TEXT], "grep": ["-n", "needle", TEXT],
            "sh": ["-c", f"cut -b 1-9 {TEXT} | sort > output; head -n 9 output; wc output"],
        }
        for program, arguments in programs.items():
            if not self.has(program):
                continue
            with self.subTest(program=program):
                self.expect_work(program, *arguments, **how)
                self.expect_work("sh", "-c", 'exec "$@" > output', "sh", program, *arguments,
                                 **how)

    def test_jemalloc(self):
        if not os.path.exists(JEMALLOC):
            self.skip("no libjemalloc.so.2 (Debian package libjemalloc2)")
        self.expect_some_programs(JEMALLOC)

    def test_address_sanitizer(self):
        self.needs("gcc", "gcc")
        path = subprocess.run(["gcc", "-print-file-name=libasan.so"], stdout=subprocess.PIPE,
                              check=True, text=True).stdout.strip()
        if not os.path.isabs(path) or not os.path.exists(path):
            self.skip("no libasan.so (Debian package libgcc-12-dev)")
        self.environment = {"ASAN_OPTIONS": "detect_leaks=0"}
        self.expect_some_programs(path, preexec_fn=both_ways.without_address_shuffling)


class FullDisk(RealProgramTest):
    """A limit of the file's size stands for a disk that is full."""

    def expect_each(self, expect, *programs):
        for program in programs:
            if not self.has(program[0]):
                continue
            for blocks in (20, 143, 300):
                for options in ((), ("--coalesce",)):
                    script = f"trap '' XFSZ; ulimit -f {blocks}; exec \"$@\" > output"
                    with self.subTest(program=program[0], blocks=blocks, options=options):
                        result = expect(["sh", "-c", script, "sh", *program], *options)
                        self.assertNotEqual(0, result.returncode)
                        self.assertIn(b"File too large", result.stderr)

    def expect_same_but_for_words(self, words, *options):
        plain, plain_files = self.execute(words), self.files()
        fast = self.run_fast(words, *options)
        self.assertEqual(plain.returncode, fast.returncode)
        self.assertEqual(plain_files, self.files())
        return fast

    def test_is_reported_in_the_same_words(self):
        self.expect_each(self.expect_same, ["uniq", TEXT], ["nl", TEXT], ["sort", TEXT],
                         ["od", "-x", BINARY], ["grep", "-n", "e", TEXT], ["mawk", "{print}", TEXT])

    def test_may_be_reported_a_little_later(self):
        self.expect_each(self.expect_same_but_for_words, ["gawk", "{print}", TEXT],
                         ["sed", "s/a/b/", TEXT])


class SystemCalls(RealProgramTest):
    """The system calls write exactly the file: no byte twice, no byte missing."""
    calls = "write,writev,pwrite64,pwritev,pwritev2,sendfile,copy_file_range,splice,ftruncate"

    def expect_every_byte_once(self, output, words, **how):
        self.needs("strace", "strace")
        traces = self.root / "traces"
        traces.mkdir()
        strace = ["strace", "-ff", "-y", "-s0", "-e", "trace=" + self.calls, "-o", traces / "of"]
        allowed = self.execute(["strace", "true"])
        if allowed.returncode != 0:
            self.skip(f"strace is not allowed to trace: {allowed.stderr[-200:]}")
        command = [both_ways.COMMAND, "run", *self.run_options, "--", *words]
        result = self.execute([*strace, *command], **how)
        self.assertEqual(0, result.returncode, result.stderr[-500:])
        lines = [line for path in sorted(traces.iterdir())
                 for line in path.read_text().splitlines() if f"{self.folder / output}>" in line]
        matches = [re.match(r"(p?writev?(?:64|2)?)\(.* = (\d+)$", line) for line in lines]
        self.assertNotIn(None, matches, lines)
        self.assertGreater(len(matches), 2)
        size = (self.folder / output).stat().st_size
        self.assertEqual(size, sum(int(match[2]) for match in matches))

    def test_of_mawk_write_every_byte_once(self):
        self.needs("mawk", "mawk")
        self.expect_every_byte_once("output", ["mawk", '{ print > "output" }', TEXT])

    def test_of_xxd_write_every_byte_once(self):
        self.needs("xxd", "xxd")
        self.expect_every_byte_once("output", ["sh", "-c", f"exec xxd {BINARY} > output"])

    def test_of_tcpdump_write_every_byte_once(self):
        self.needs("tcpdump", "tcpdump")
        user = ["-Z", "root"] if os.geteuid() == 0 else []
        self.expect_every_byte_once("copy", ["tcpdump", *user, "-r", PACKETS, "-w", "copy"])


if __name__ == "__main__":
    both_ways.main()
