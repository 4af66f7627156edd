"""A copy of servers/canary.php that a test changes between two boots."""

import re

from harness import SERVERS


def canary_script(folder):
    path = folder / "script.php"
    path.write_text((SERVERS / "canary.php").read_text())
    return path


def change(script, **constants):
    text = script.read_text()
    for name, value in constants.items():
        value = f"'{value}'" if isinstance(value, str) else value
        text, times = re.subn(rf"const {name} = [^;]+;", f"const {name} = {value};", text)
        assert times == 1
    script.write_text(text)
