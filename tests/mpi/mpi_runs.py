"""Runs mpi_cases on several ranks, and compares the results of every rank."""
import os
import pathlib
import re
import sys
import tempfile
import unittest

import patience

MPIRUN, PROGRAM, IO = sys.argv[1:4]
SECONDS = 60  # for one run, on a machine that does much else; see patience.py


def environment():
    """Open MPI refuses root and more ranks than processors, unless it is told otherwise."""
    result = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                  OMPI_MCA_rmaps_base_oversubscribe="1")
    if IO != "-":
        result["OMPI_MCA_io"] = IO
    return result


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "shared"

    def run_ranks(self, ranks, case, path=None, code=0, variables=(), **settings):
        """Returns {word: [results in the order of the ranks]}, with a rank's results in a list."""
        named = [f"{name.replace('_of_', '.')}={value}" for name, value in settings.items()]
        command = [MPIRUN, "-n", str(ranks), PROGRAM, case, str(path or self.file), *named]
        ended, output, errors = patience.run(command, SECONDS,
                                              environment() | dict(variables))
        if code is not None:
            self.assertEqual(ended, code, output + errors)
        else:
            self.assertNotEqual(ended, 0, output)
        results = {}
        for rank, word, text in re.findall(r"^(\d+) (\w+): (.*)$", output, re.MULTILINE):
            results.setdefault(word, [[] for _ in range(ranks)])[int(rank)].append(text)
        return results

    def write(self, ranks, **settings):
        results = self.run_ranks(ranks, "write", **settings)
        self.expect_same(results, "open", "-1 ok", ranks)
        return results

    def expect_same(self, results, word, text, ranks):
        """Every rank has the same results for the word, and the last one is `text`."""
        found = results[word]
        self.assertEqual(found, [found[0]] * ranks)
        self.assertEqual(found[0][-1], text)

    def expect_failure(self, results, word, rank, message):
        found = results[word]
        self.assertEqual(found, [found[0]] * len(found))
        self.assertRegex(found[0][-1], rf"^{rank} .*rank {rank}: {message}")
        return found[0][-1]

    def expect_bytes(self, expected):
        data = self.file.read_bytes()
        self.assertEqual(len(data), len(expected))
        differing = next((i for i, pair in enumerate(zip(data, expected)) if pair[0] != pair[1]),
                         None)
        self.assertIsNone(differing)
