"""Source packages of Debian, from the mirror that this machine uses.

Apt works in a folder of its own, so nothing of the machine's own state changes.
"""
import os
import pathlib
import re
import subprocess

LISTS = pathlib.Path("/etc/apt")
KEYRING = pathlib.Path("/usr/share/keyrings/debian-archive-keyring.gpg")

_options = []


def stanzas(text):
    """The stanzas of a deb822 file: a dictionary for each."""
    for stanza in re.split(r"\n\s*\n", text):
        lines = [line for line in stanza.splitlines() if not line.startswith("#")]
        joined = re.sub(r"\n[ \t]+", " ", "\n".join(lines))
        yield {name.lower(): value.strip() for name, _, value in
               (line.partition(":") for line in joined.splitlines() if ":" in line)}


def mirrors():
    """(URI, suite) of Debian's own archive. Security, other vendors and disabled entries are left
    out."""
    for file in sorted((LISTS / "sources.list.d").glob("*.sources")):
        for stanza in stanzas(file.read_text()):
            if stanza.get("enabled", "yes") == "no":
                continue
            for uri in stanza.get("uris", "").split():
                for suite in stanza.get("suites", "").split():
                    yield uri, suite
    lists = [LISTS / "sources.list", *sorted((LISTS / "sources.list.d").glob("*.list"))]
    for file in lists:
        for line in file.read_text().splitlines() if file.exists() else ():
            words = re.sub(r"\[[^]]*\]", "", line.partition("#")[0]).split()
            if len(words) > 2 and words[0] == "deb":
                yield words[1], words[2]


def prepare(folder):
    """Fetches the lists of sources into the folder. Returns why that is not possible, or ''."""
    found = [(uri, suite) for uri, suite in mirrors()
             if uri.rstrip("/").endswith("/debian") and "-" not in suite]
    if not found:
        return "no mirror of Debian in /etc/apt"
    if not KEYRING.exists():
        return f"no keys of Debian: {KEYRING} is missing"
    uri, suite = found[0]
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True)
    (folder / "sources.list").write_text(f"deb-src [signed-by={KEYRING}] {uri} {suite} main\n")
    _options[:] = [f"-oDir::State={folder}", f"-oDir::State::Lists={folder}/lists",
                   f"-oDir::Cache={folder}/cache", f"-oDir::Etc::sourcelist={folder}/sources.list",
                   "-oDir::Etc::sourceparts=/dev/null", "-oAPT::Sandbox::User=root",
                   "-oAcquire::Retries=2", "-oAcquire::http::Timeout=20"]
    result = subprocess.run(["apt-get", *_options, "-qq", "--error-on=any", "update"],
                            capture_output=True, text=True)
    if result.returncode != 0:
        return f"apt-get update failed: {result.stderr.strip()}"
    return ""


def unpack(name, folder):
    """Fetches a source package and unpacks it in the folder. Returns the folder of the source."""
    place = folder / f"source_of_{name}"
    place.mkdir()
    subprocess.run(["apt-get", *_options, "-qq", "source", "--only-source", name], cwd=place,
                   check=True, capture_output=True)
    sources = [entry for entry in place.iterdir() if entry.is_dir()]
    assert len(sources) == 1, sources
    # Debian's patches are newer than the files that automake has made: make would run automake.
    for path in sources[0].rglob("*"):
        os.utime(path, (1e9, 1e9), follow_symlinks=False)
    return sources[0]


def make_compiler(path, compiler, options, library):
    """Writes a compiler that adds these options to each call, and links the library behind all
    other arguments. So no makefile has to be changed."""
    words = " ".join(options)
    path.write_text(f"""#!/bin/sh
for argument; do
  case $argument in
    -c | -E | -S | -M | -MM) exec {compiler} {words} "$@" ;;
  esac
done
exec {compiler} {words} "$@" {library} -pthread
""")
    path.chmod(0o755)


def build(source, compiler, targets=()):
    """Builds the source with this compiler. The source is configured without the compiler's
    options, because configure declares functions of the C library with types of its own."""
    is_new = (source / "configure").exists() and not (source / "config.status").exists()
    if is_new:
        subprocess.run(["./configure"], cwd=source, check=True, capture_output=True)
    result = subprocess.run(["make", f"CC={compiler}", *targets], cwd=source, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    if result.returncode != 0:
        raise RuntimeError(f"make {' '.join(targets)} in {source.name}:\n{result.stdout[-3000:]}")
