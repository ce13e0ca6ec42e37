#!/usr/bin/env python3
"""--help, the manual pages and the scripts for completion say the same about every option."""
import pathlib
import re
import shutil
import subprocess
import unittest

import sluice_command

PAGES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "man"
COMMANDS = ("bench", "cat", "get", "put", "recommend", "run", "trace", "completion")
DEFAULT = r"[Bb]y default ([^.;:]*)"
DEFAULTS_IN_WORDS = {".": "the current folder"}


def output_of(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout


def built_commands():
    """The commands that this build has: `get` needs Arrow."""
    get = subprocess.run([sluice_command.COMMAND, "get", "--help"], capture_output=True,
                         check=False)
    return [command for command in COMMANDS if command != "get" or get.returncode == 0]


def default_in(text):
    """What the text says about a default, in the words of the manual; None if it says nothing."""
    found = re.search(DEFAULT, text)
    return found and " ".join(found[1].split())


def options_in_help(command):
    """The name of each option with the name of its value, or None, and its default, or None."""
    text = output_of(sluice_command.COMMAND, command, "--help")
    options = {}
    for name, value, usual, description in re.findall(
            r"^ +(?:-\w,)?(--[a-z-]+)(?: ([A-Z]+)(?:=(\S+))?)?(?: \.\.\.)? +(.*)$", text,
            re.MULTILINE):
        options[name] = (value or None, DEFAULTS_IN_WORDS.get(usual, default_in(description)))
    return options


def options_in_page(command):
    text = (PAGES / f"sluice-{command}.1").read_text().replace("\\-", "-")
    section = text.partition(".SH OPTIONS")[2].partition(".SH")[0]
    options = {}
    for item in section.split(".TP\n")[1:]:
        line, _, description = item.partition("\n")
        name = re.search(r"--[a-z-]+", line)
        if name:
            value = re.search(r'" ([A-Z]+)"$', line)
            plain = re.sub(r"^\.[A-Z]+ ?", "", description, flags=re.MULTILINE)
            options[name[0]] = (value and value[1], default_in(plain))
    return options


def completed_default(description):
    usual = re.search(r" \(default: (.*)\)$", description)
    return DEFAULTS_IN_WORDS.get(usual[1]) if usual else default_in(description)


def options_in_zsh(command):
    script = output_of(sluice_command.COMMAND, "completion", "zsh")
    case = re.search(rf"^    {command}\)\n(.*?);;", script, re.MULTILINE | re.DOTALL)[1]
    options = {}
    for name, description, value in re.findall(
            # A value that can be left out (=- and two colons) is none for --help.
            r"^ +'(?:\([^)]*\)|\*)?(--[a-z-]+)=?-?\[((?:\\.|[^\]])*)\]"
            r"(?:::.*|:([A-Z]+):.*)?'$", case, re.MULTILINE):
        options[name] = (value or None, completed_default(description))
    return options


def options_in_fish(command):
    """As options_in_zsh(), but fish is told no name of a value: "" if there is a value."""
    script = output_of(sluice_command.COMMAND, "completion", "fish")
    options = {}
    for name, takes_value, description in re.findall(
            rf"^complete -c sluice -n '__sluice_command_is {command}'(?: -s \w)? -l (\S+)"
            r"( -x| -r)?.* -d '((?:\\.|[^'\\])*)'$", script, re.MULTILINE):
        options[f"--{name}"] = ("" if takes_value else None, completed_default(description))
    return options


def options_in_bash(command):
    """The names of the options, and the names of those with a value."""
    script = output_of(sluice_command.COMMAND, "completion", "bash")
    names = output_of("bash", "-c", f"{script}\n_sluice_options {command}; echo $offers").split()
    with_value = re.findall(rf'^    "{command} (--[a-z-]+)"\)', script, re.MULTILINE)
    return set(names) - {"--"}, set(with_value)


class Manual(unittest.TestCase):

    def setUp(self):
        self.maxDiff = None

    def test_says_of_every_option_what_help_says(self):
        for command in built_commands():
            with self.subTest(command=command):
                self.assertEqual(options_in_help(command), options_in_page(command))

    def test_completion_knows_of_every_option_what_help_says(self):
        for command in built_commands():
            with self.subTest(command=command):
                expected = options_in_help(command)
                self.assertEqual(expected, options_in_zsh(command))
                values = {name: (value and "", default)
                          for name, (value, default) in expected.items()}
                self.assertEqual(values, options_in_fish(command))
                with_value = {name for name, (value, _) in expected.items() if value}
                self.assertEqual((set(expected), with_value), options_in_bash(command))

    def test_the_defaults_are_read(self):
        """Without this a default that nobody finds would be equal to another such default."""
        self.assertEqual({"--dir": "the current folder", "--size": "each experiment chooses",
                          "--rounds": "5, with --quick 3", "--touch-memory": "none"},
                         {name: default for name, (_, default) in options_in_help("bench").items()
                          if default})

    def test_there_is_a_page_for_every_command(self):
        text = output_of(sluice_command.COMMAND, "--help").partition("Subcommands:")[2]
        commands = re.findall(r"^  ([a-z]+)", text, re.MULTILINE)
        self.assertEqual({*COMMANDS, "help"}, set(commands))
        script = output_of(sluice_command.COMMAND, "completion", "fish")
        self.assertEqual(commands, re.findall(
            r"""^complete -c sluice -n '__sluice_command_is ""' -a (\w+)""", script, re.MULTILINE))
        overview = (PAGES / "sluice.1").read_text()
        for command in COMMANDS:
            self.assertTrue((PAGES / f"sluice-{command}.1").exists())
            self.assertIn(f".BR sluice-{command} (1)", overview)

    def test_is_well_formed(self):
        if shutil.which("groff") is None:
            self.skipTest("groff is not installed")
        for page in sorted(PAGES.glob("*.[13]")):
            with self.subTest(page=page.name):
                result = subprocess.run(["groff", "-man", "-ww", "-z", page],
                                        stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual((0, ""), (result.returncode, result.stderr))


if __name__ == "__main__":
    sluice_command.main()
