"""docs/coroutines.md: each of its examples runs as it stands, and prints what the page shows below it."""

import os
import re
import subprocess

import pytest

from harness import CRASHES, DEADLINE_S, ROOT, Server, php_command

PAGE = (ROOT / "docs" / "coroutines.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples():
    """Its title, the script, the commands for another terminal or None, and what is shown."""
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        blocks = BLOCK.findall(section)
        kinds = [kind for kind, _ in blocks]
        if blocks:
            assert kinds in (["php", "text"], ["php", "sh", "text"]), f"{section.splitlines()[0]} has {kinds}"
            yield section.splitlines()[0], blocks[0][1], blocks[1][1] if kinds[1] == "sh" else None, blocks[-1][1]


EXAMPLES = list(examples())


def test_there_are_ten():
    assert [title.split(".")[0] for title, *_ in EXAMPLES] == [str(number) for number in range(1, 11)]


@pytest.mark.parametrize("script, shown", [(script, shown) for _, script, commands, shown in EXAMPLES if not commands],
                         ids=[title for title, _, commands, _ in EXAMPLES if not commands])
def test_a_script_prints_what_is_shown(script, shown, tmp_path):
    (tmp_path / "example.php").write_text(script)
    command, env = php_command()
    done = subprocess.run([*command, "example.php"], cwd=tmp_path, env=os.environ | env, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=DEADLINE_S * 2, check=False)
    assert not CRASHES.search(done.stderr), done.stderr
    assert (done.returncode, done.stdout) == (0, shown), done.stderr


@pytest.mark.parametrize("database", ["sqlite", "mariadb"])
@pytest.mark.parametrize("script, commands, shown", [example[1:] for example in EXAMPLES if example[2]],
                         ids=[example[0] for example in EXAMPLES if example[2]])
def test_a_server_answers_what_is_shown(script, commands, shown, database, tmp_path, request):
    env = {"TMPDIR": str(tmp_path)}
    if database == "mariadb":
        port = request.getfixturevalue("mariadb").port
        env |= {"DSN": f"mysql:host=127.0.0.1;dbname=test;port={port}", "DB_USER": "sluice", "DB_PASSWORD": "secret"}
    (tmp_path / "example.php").write_text(script)
    server = Server(tmp_path / "example.php", announces=False, env=env)
    server.arguments = [f"127.0.0.1:{server.ports[0]}"]
    with server:
        commands = commands.replace("127.0.0.1:9501", server.arguments[0])
        done = subprocess.run(["sh", "-c", commands.replace("curl ", "curl -sS ")], capture_output=True, text=True,
                              timeout=DEADLINE_S, check=False)
    assert done.stdout.rstrip("\n") == shown.rstrip("\n"), done.stderr
