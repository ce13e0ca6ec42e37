#!/usr/bin/env python3
"""bash, zsh and fish complete the words of a command line of `sluice`, in a terminal.

The scripts lie below share in the build folder as below share after an installation, and each shell
finds its own one there.
"""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import sluice_command
import terminal

# zsh shows the = of a value that can be left out. A space takes it away.
OF_ZSH = {"sluice put --com": "sluice put --compress=Z",
          "sluice put --com\t quu": "sluice put --compress quux.txt Z"}
# bash needs its package of completions for the options of a program that `sluice run` starts.
OF_ANOTHER_PROGRAM = {"sluice run -- sluice put --ato": "sluice run -- sluice put --atomic Z"}

# sluice starts no function of the shell.
OF_FISH = {"sluice run -- ownfun": "sluice run -- ownfunZ"}

# What is typed before the key Tab, and what stands on the line when the letter Z is typed after it.
COMPLETED = {
    "sluice be": "sluice bench Z",
    "sluice --ver": "sluice --version Z",
    "sluice bench --qui": "sluice bench --quick Z",
    "sluice bench --quick rand": "sluice bench --quick random Z",
    "sluice bench --rounds 5 rand": "sluice bench --rounds 5 random Z",
    "sluice bench bytes rand": "sluice bench bytes random Z",
    "sluice bench --dir fol": "sluice bench --dir folder/Z",
    "sluice bench --dir quu": "sluice bench --dir quuZ",
    "sluice bench --dir=fol": "sluice bench --dir=folder/Z",
    "sluice bench --json quu": "sluice bench --json quux.txt Z",
    "sluice bench --json=quu": "sluice bench --json=quux.txt Z",
    "sluice bench --size quu": "sluice bench --size quuZ",
    "sluice bench quu": "sluice bench quuZ",
    "sluice bench replay quu": "sluice bench replay quux.txt Z",
    "sluice put --ato": "sluice put --atomic Z",
    "sluice put --atomic quu": "sluice put --atomic quux.txt Z",
    "sluice put --com": "sluice put --compress Z",
    "sluice put --compress quu": "sluice put --compress quux.txt Z",
    "sluice put --compress=ls": "sluice put --compress=lsZ",
    "sluice put --compress=quu": "sluice put --compress=quuZ",
    "sluice put --compress=lz": "sluice put --compress=lz4 Z",
    "sluice put --compress=series:dou": "sluice put --compress=series:double Z",
    "sluice put --compress=lz4 quu": "sluice put --compress=lz4 quux.txt Z",
    "sluice put --compress=series:double quu": "sluice put --compress=series:double quux.txt Z",
    "sluice ca": "sluice cat Z",
    "sluice cat quux.txt od": "sluice cat quux.txt odd\\ name Z",
    "sluice put odd": "sluice put odd\\ name Z",
    "sluice put quux.txt fol": "sluice put quux.txt folZ",
    "sluice run --coa": "sluice run --coalesce Z",
    "sluice run -- ownprog": "sluice run -- ownprogram Z",
    "sluice run --json quux.txt -- ownprog": "sluice run --json quux.txt -- ownprogram Z",
    "sluice run -- ownprogram quu": "sluice run -- ownprogram quux.txt Z",
    "sluice trace -- ownprog": "sluice trace -- ownprogram Z",
    "sluice trace --compare quu": "sluice trace --compare quux.txt Z",
    "sluice trace --fail-over 1 -- ownprog": "sluice trace --fail-over 1 -- ownprogram Z",
    "sluice completion zs": "sluice completion zsh Z",
    "sluice help tra": "sluice help trace Z",
}


def options_in_help(command):
    text = subprocess.run([sluice_command.COMMAND, command, "--help"], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    return set(re.findall(r"^ +(?:-\w,)?(--[a-z-]+)", text, re.MULTILINE))


class Completion(sluice_command.CommandTest):

    def setUp(self):
        super().setUp()
        self.share = pathlib.Path(sluice_command.COMMAND).parent.parent / "share"
        (self.inputs / "folder").mkdir()
        self.input("quux.txt", "")
        self.input("odd name", "")
        programs = self.root / "programs"
        programs.mkdir()
        (programs / "ownprogram").write_text("#!/bin/sh\n")
        (programs / "ownprogram").chmod(0o755)
        (programs / "sluice").symlink_to(sluice_command.COMMAND)
        self.home = self.root / "home"
        self.home.mkdir()
        self.variables = {
            "HOME": self.home, "TERM": "screen", "LC_ALL": "C.UTF-8",
            "PATH": f"{programs}:{os.environ['PATH']}",
            "XDG_CONFIG_HOME": self.home, "XDG_DATA_HOME": self.home,
            "XDG_DATA_DIRS": f"{self.share}:/usr/share",
        }

    def check(self, words, completed):
        for program in ["tmux", words[0]]:
            if shutil.which(program) is None:
                self.skipTest(f"{program} is not installed")
        shell = terminal.Terminal(self.root, words, self.variables, self.inputs)
        self.addCleanup(shell.close)
        for typed, line in completed.items():
            self.expect_completed(shell, typed, line)
        for command in ["bench", "cat", "get", "put", "recommend", "run", "trace", "completion"]:
            self.expect_options(shell, command)

    def expect_completed(self, shell, typed, line):
        shell.drop_line()
        shell.type(typed)
        shell.press("Tab")
        shell.type("Z")
        shell.wait_for(lambda: "Z" in shell.line())
        self.assertEqual("$ " + line, shell.line(), f"after '{typed}' and Tab")

    def expect_options(self, shell, command):
        """One option is completed at once, and several are listed."""
        shell.clear()
        shell.type(f"sluice {command} --")
        shell.press("Tab")
        options = options_in_help(command)
        shell.wait_for(lambda: options <= set(re.findall(r"--[a-z-]+", shell.screen())))

    def test_of_bash(self):
        package = pathlib.Path("/usr/share/bash-completion/bash_completion")
        if not package.exists():
            self.skipTest("bash-completion is not installed")
        settings = self.home / "bashrc"
        settings.write_text(f". {package}\nPS1='$ '\n"
                            "bind 'set show-all-if-ambiguous on'\nbind 'set bell-style none'\n")
        self.check(["bash", "--noprofile", "--rcfile", str(settings), "-i"],
                   {**COMPLETED, **OF_ANOTHER_PROGRAM})

    def test_of_bash_alone(self):
        settings = self.home / "bashrc"
        settings.write_text(f". {self.share}/bash-completion/completions/sluice\nPS1='$ '\n"
                            "bind 'set show-all-if-ambiguous on'\nbind 'set bell-style none'\n")
        self.check(["bash", "--noprofile", "--rcfile", str(settings), "-i"], COMPLETED)

    def test_of_zsh(self):
        (self.home / ".zshrc").write_text(
            f"fpath=({self.share}/zsh/site-functions $fpath)\nautoload -Uz compinit\n"
            f"compinit -u -d {self.home}/dump\nPS1='$ '\nunsetopt beep prompt_sp\n"
            "setopt no_auto_remove_slash\n")
        self.check(["zsh", "-i"], {**COMPLETED, **OF_ANOTHER_PROGRAM, **OF_ZSH})

    def test_of_fish(self):
        (self.home / "fish").mkdir()
        (self.home / "fish" / "config.fish").write_text(
            "function fish_prompt; echo '$ '; end\nset -g fish_greeting\n"
            "set -g fish_autosuggestion_enabled 0\nfunction ownfunction; end\n")
        self.check(["fish", "-i"], {**COMPLETED, **OF_ANOTHER_PROGRAM, **OF_FISH})


if __name__ == "__main__":
    sluice_command.main()
