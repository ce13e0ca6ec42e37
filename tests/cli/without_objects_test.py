#!/usr/bin/env python3
"""The command of a build without Arrow: what it says of object stores, and what still works."""
import sluice_command
from sluice_command import CommandTest

LINE = (r"sluice was built without object stores: install Arrow C\+\+ or the Python package "
        r"pyarrow \(\./dev setup --object\), and build sluice again")


class WithoutObjects(CommandTest):
    def test_objects_are_refused_with_the_remedy(self):
        for words in (("put", "s3://bucket/name"), ("put", "--compress", "gs://bucket/name"),
                      ("get", "s3://bucket/name"), ("cat", "abfs://bucket/name"),
                      ("bench", "--dir", "s3://bucket/folder"),
                      ("bench", "--dir=hdfs://host/folder", "object-write")):
            with self.subTest(words=words):
                self.expect_refused(self.run_command(*words), LINE)

    def test_files_need_no_object_store(self):
        file = self.input("file", "text\n")
        result = self.run_command("cat", file)
        self.expect_ok(result)
        self.assertEqual("text\n", result.stdout)
        self.expect_ok(self.run_command("put", file))
        self.assertEqual("", file.read_text())


if __name__ == "__main__":
    sluice_command.main()
