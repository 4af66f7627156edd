"""Processes of a server run the code that others of them have compiled, through the opcode cache that they share."""

import shutil
import subprocess

import pytest

from harness import SANITIZED, Server, php_command, wait_until
from http_client import get

# Each is declared as it runs, not as it is compiled.
DECLARES = """<?php
enum Of{name}: string {{ case One = '{name}'; }}
final class {name} implements Stringable {{ public function __toString(): string {{ return say_{name}(Of{name}::One); }} }}
if (true) {{ function say_{name}(Of{name} $of): string {{ return $of->value; }} }}
"""
KINDS = "classic", "worker", "fresh", "forked", "task", "service"


def load(server, folder, kind, name):
    if kind != "service":
        return get(server, f"/{'' if kind == 'worker' else kind}?name={name}").text
    answer = folder / f"service.{name}"
    (folder / "asked").write_text(name)
    (folder / "asked").rename(folder / "service")
    wait_until(lambda: answer.exists() and not (folder / "service").exists(), "the service has loaded it")
    text = answer.read_text()
    answer.unlink()
    return text


def test_each_kind_of_process_runs_what_another_has_compiled(mode, tmp_path):
    settings = "opcache.enable_cli=1", "opcache.file_update_protection=0"
    with Server("compiled_code.php", mode, env={"FOLDER": str(tmp_path)}, settings=settings) as server:
        for first in KINDS:
            name = f"By_{first}"
            (tmp_path / f"{name}.php").write_text(DECLARES.format(name=name))
            answers = {kind: load(server, tmp_path, kind, name) for kind in (first, *KINDS)}
            assert answers == {kind: name for kind in KINDS}
            # A process that has it declares it no second time.
            assert load(server, tmp_path, "classic", name) == name
        assert "killed by signal" not in server.output()


@pytest.mark.skipif(SANITIZED, reason="a PHP without the extension has no sanitizer")
def test_a_php_without_the_extension_leaves_its_compiled_files_alone(tmp_path):
    (tmp_path / "cache").mkdir()
    (tmp_path / "page.php").write_text(DECLARES.format(name="Page") + "echo new Page();")
    settings = [word for setting in ("enable_cli=1", f"file_cache={tmp_path}/cache", "file_cache_only=1", "file_update_protection=0") for word in ("-d", f"opcache.{setting}")]
    command, env = php_command()
    plain = [shutil.which("php") or "php"]
    for php in (command, plain, command):
        done = subprocess.run([*php, *settings, tmp_path / "page.php"], stdout=subprocess.PIPE, timeout=60, check=False)
        assert (done.returncode, done.stdout) == (0, b"Page")
    assert len(list((tmp_path / "cache").iterdir())) == 2
