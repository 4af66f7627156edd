"""docs/decisions/README.md is the index of the decisions: a row for each note, with its title and a line of its own."""

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "decisions"

HEADING = re.compile(r"^# (\d+)\. (.+)$")
ROW = re.compile(r"^\| \[(\d+)\]\(([\w.-]+)\) \| (.+?) \| (.*?) \|$", re.MULTILINE)


def complaints(index, notes):
    """What is wrong with the index, as sentences; `notes`: the first line of each note by its file's name."""
    rows = {row[2]: row for row in ROW.finditer(index)}
    for name in rows.keys() - notes.keys():
        yield f"{name} has a row in the index, and is not there"
    for name, first_line in sorted(notes.items()):
        heading = HEADING.match(first_line)
        if not heading or int(heading[1]) != int(name[:4]):
            yield f"{name} begins with “{first_line}”: it should be “# {int(name[:4])}. Its title”"
        elif name not in rows:
            yield f"{name} has no row in the index: | [{heading[1]}]({name}) | {heading[2]} | what follows from it, in a line |"
        elif (rows[name][1], rows[name][3]) != (heading[1], heading[2]):
            yield f"{name} is called “{heading[1]}. {heading[2]}”, and “{rows[name][1]}. {rows[name][3]}” in the index"
        elif not rows[name][4].strip():
            yield f"{name} has no line of its own in the index"
    if list(rows) != sorted(rows):
        yield "the rows of the index are not in the order of their numbers"


def test_every_note_is_in_the_index():
    notes = {path.name: path.read_text().split("\n", 1)[0] for path in FOLDER.glob("[0-9]*.md")}
    assert list(complaints((FOLDER / "README.md").read_text(), notes)) == []


def test_the_check_sees_what_it_is_for():
    notes = {"0001-ring.md": "# 1. A ring", "0002-loop.md": "# 2. A loop"}
    ring, loop = "| [1](0001-ring.md) | A ring | One reads, one writes. |\n", "| [2](0002-loop.md) | A loop | It goes on. |\n"
    assert list(complaints(ring + loop, notes)) == []
    for index, changed, complaint in [
        (ring, {}, "0002-loop.md has no row"),
        (ring + loop + "| [3](0003-gone.md) | Gone | Away. |\n", {}, "0003-gone.md has a row"),
        (ring + loop.replace("A loop", "Loops"), {}, "0002-loop.md is called"),
        (ring + loop.replace("It goes on.", ""), {}, "0002-loop.md has no line"),
        (loop + ring, {}, "the rows of the index are not in the order"),
        (ring + loop, {"0002-loop.md": "# A loop"}, "0002-loop.md begins with"),
        (ring + loop, {"0002-loop.md": "# 3. A loop"}, "0002-loop.md begins with"),
    ]:
        found = list(complaints(index, notes | changed))
        assert len(found) == 1 and found[0].startswith(complaint), (found, complaint)
