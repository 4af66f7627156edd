"""docs/guides: every program in them runs as it stands, and every command prints what the page shows.

A section (`##`) of a page is a scenario of its own, in an empty folder:

- a PHP block that begins with `<?php` is a program. It is called server.php if it makes a server, else example.php, unless its
  first line names it: `<?php // client.php`. The server is started where it stands among the commands, and logs to server.log.
- an HTML block whose first line is `<!-- page.html -->` is a file.
- a console block has commands, each behind `$ `, and below each what it prints. `…` stands for what differs from run to run, on a
  line of its own for any number of lines. `php` is PHP with the extension; ports become free ones.
- any other PHP block is a part of a program, and has to be PHP.

Each section with a server is played in both modes, unless it says `<!-- process mode -->`. One that takes as long as a drain may says
`<!-- slow -->`, and make check plays it.
"""

import os
import re
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from harness import CRASHES, DEADLINE_S, MODES, ROOT, Server, free_ports, php_command, wait_until

GUIDES = ROOT / "docs" / "guides"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LISTENER = re.compile(r"(->udp|->http|->tcp|->admin|new Listener)\('[\w.:\[\]]+:(\d+)'")
NAMED = re.compile(r"\A(?:<\?php //|<!--) ([\w.-]+)(?: -->)?\n")
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
# What a page does not name here has a database of its own, or none.
DATABASE = "getenv('DSN')"


@dataclass
class Section:
    """A scenario of a page."""

    name: str
    files: dict = field(default_factory=dict)
    before: list = field(default_factory=list)  # the server is started: (command, what it prints)
    commands: list = field(default_factory=list)
    fragments: list = field(default_factory=list)
    process_mode_only: bool = False
    slow: bool = False

    @property
    def server(self):
        return self.files.get("server.php")

    def wants_database(self):
        return any(DATABASE in text for text in self.files.values())


def name_of(language, text):
    """None for a fragment."""
    named = NAMED.match(text)
    if named:
        return named[1]
    if language == "php" and text.startswith("<?php\n"):
        return "server.php" if "new Server(" in text else "example.php"
    return None


def parse(page, text):
    for part in re.split(r"^## ", text, flags=re.MULTILINE):
        section = Section(f"{page}: {part.splitlines()[0].strip('# ')}", process_mode_only="<!-- process mode -->" in part, slow="<!-- slow -->" in part)
        for language, block in BLOCK.findall(part):
            name = name_of(language, block)
            if name:
                assert name not in section.files, f"{section.name} has two files {name}"
                section.files[name] = block
                if name == "server.php":
                    section.before, section.commands = section.commands, []
            elif language == "php":
                section.fragments.append(block)
            elif language == "console":
                commands = COMMAND.findall(block)
                assert sum(len(shown) + len(command) + 3 for command, shown in commands) == len(block), f"{section.name}: no command\n{block}"
                section.commands += commands
        yield section


SECTIONS = [section for path in sorted(GUIDES.glob("*.md")) for section in parse(path.stem, path.read_text())]
FRAGMENTS = [(section.name, fragment) for section in SECTIONS for fragment in section.fragments]


def pattern_of(shown):
    """`…` alone on a line is any number of lines, elsewhere the rest of a line or a part of it."""
    pattern = re.escape(shown.rstrip("\n") + "\n")
    pattern = re.sub(r"(?m)^…\\?\n", "(?:.*\n)*?", pattern)
    return re.compile(pattern.replace("…", ".*?"))


class Scenario:
    """A section that is being played, in a folder of its own."""

    def __init__(self, section, folder, env, mode="process"):
        self.section, self.folder = section, folder
        listeners = LISTENER.findall("".join(section.files.values()))
        self.ports = dict(zip(dict.fromkeys(port for _, port in listeners), map(str, free_ports(len(listeners)))))
        self.tcp_ports = [int(self.ports[port]) for port in dict.fromkeys(port for kind, port in listeners if kind != "->udp")]
        for name, text in section.files.items():
            if mode == "base":
                text = text.replace("new Server(", "new Server(mode: \\Sluice\\Mode::Base, ")
            (folder / name).write_text(self.with_free_ports(text))
        command, php_env = php_command()
        (folder / "bin").mkdir()
        php = folder / "bin" / "php"
        preload = "".join(f"{key}='{value}' " for key, value in php_env.items())
        php.write_text(f"#!/bin/sh\n{preload}exec {' '.join(command)} \"$@\"\n")
        php.chmod(0o755)
        self.env = {"PATH": f"{php.parent}:{os.environ['PATH']}", "TMPDIR": str(folder)} | env

    def with_free_ports(self, text):
        return re.sub(r"\b\d{4,5}\b", lambda found: self.ports.get(found[0], found[0]), text)

    def with_shown_ports(self, text):
        shown = {free: port for port, free in self.ports.items()}
        return re.sub(r"\b\d{4,5}\b", lambda found: shown.get(found[0], found[0]), text)

    def play(self):
        self.run_commands(self.section.before)
        if not self.section.server:
            return self.run_commands(self.section.commands)
        server = Server(self.folder / "server.php", announces=False, ports=self.tcp_ports, env=self.env, cwd=self.folder)
        (self.folder / "server.log").symlink_to(server.folder / "err")
        with server:
            # The listeners are there before the processes have their names, and the file their number.
            if "pidFile: 'server.pid'" in "".join(self.section.files.values()):
                wait_until((self.folder / "server.pid").exists, "the pid file is there")
                wait_until(lambda: any(process.title().startswith("sluice: generation") for process in server.processes()), "a generation is there")
            self.run_commands(self.section.commands)
            # It may be on its way out still, and hear no second signal.
            server.told_to_stop = "stopping: " in server.output()

    def run_commands(self, commands):
        for command, shown in commands:
            # curl shows its progress only where its output is no terminal.
            done = subprocess.run(["bash", "-c", self.with_free_ports(re.sub(r"\bcurl ", "curl -sS ", command))], cwd=self.folder,
                                  env=os.environ | self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=DEADLINE_S * 2, check=False)
            printed = self.with_shown_ports(done.stdout.replace("\r", "").rstrip("\n") + "\n")
            assert not CRASHES.search(done.stderr), done.stderr
            assert pattern_of(shown).fullmatch(printed), f"$ {command}\n{printed}{done.stderr}\n--- the page shows\n{shown}"


def with_names(sections):
    return {"argvalues": [pytest.param(section, marks=pytest.mark.slow if section.slow else ()) for section in sections],
            "ids": [section.name.replace(" ", "-") for section in sections]}


@pytest.mark.parametrize("section", **with_names([section for section in SECTIONS if section.files]))
def test_what_an_example_does_is_shown(section):
    assert section.commands, f"{section.name} has a program, and no command that shows what it does"


@pytest.mark.parametrize("section", **with_names([section for section in SECTIONS if section.files and not section.server]))
def test_an_example_does_what_is_shown(section, tmp_path):
    Scenario(section, tmp_path, {}).play()


@pytest.mark.parametrize("section", **with_names([section for section in SECTIONS if section.server and not section.process_mode_only]))
@pytest.mark.parametrize("mode", MODES)
def test_a_server_does_what_is_shown(section, mode, tmp_path):
    Scenario(section, tmp_path, {}, mode).play()


@pytest.mark.parametrize("section", **with_names([section for section in SECTIONS if section.server and section.process_mode_only]))
def test_a_server_of_process_mode_does_what_is_shown(section, tmp_path):
    Scenario(section, tmp_path, {}).play()


@pytest.mark.parametrize("section", **with_names([section for section in SECTIONS if section.wants_database()]))
def test_an_example_with_a_database_does_so_with_mariadb(section, tmp_path, mariadb):
    dsn = f"mysql:host=127.0.0.1;dbname=test;port={mariadb.port}"
    Scenario(section, tmp_path, {"DSN": dsn, "DB_USER": "sluice", "DB_PASSWORD": "secret"}).play()


def test_every_part_of_a_program_is_php(tmp_path):
    (tmp_path / "check.php").write_text("""<?php
        foreach (array_slice($argv, 1) as $file) {
            try {
                PhpToken::tokenize("<?php\n" . file_get_contents($file), TOKEN_PARSE);
            } catch (ParseError $error) {
                echo basename($file), ': ', $error->getMessage(), ' on line ', $error->getLine() - 1, "\n";
            }
        }""")
    for number, (_, fragment) in enumerate(FRAGMENTS):
        (tmp_path / str(number)).write_text(fragment)
    files = [str(tmp_path / str(number)) for number in range(len(FRAGMENTS))]
    said = subprocess.run(["php", str(tmp_path / "check.php"), *files], capture_output=True, text=True, check=True).stdout
    assert not said, said + str([name for name, _ in FRAGMENTS])


def test_every_guide_is_in_the_index():
    index = (ROOT / "docs" / "README.md").read_text()
    assert [path.name for path in sorted(GUIDES.glob("*.md")) if f"(guides/{path.name})" not in index] == []


def test_what_differs_may_be_left_out():
    assert pattern_of("a … c\n").fullmatch("a b c\n")
    assert not pattern_of("a … c\n").fullmatch("a b\nc\n")
    assert pattern_of("a\n…\nc\n").fullmatch("a\n1\n2\nc\n")
    assert pattern_of("…\nc\n").fullmatch("c\n")
    assert not pattern_of("a\n…\nc\n").fullmatch("a\n1\n2\nd\n")
    assert pattern_of("").fullmatch("\n")
