"""Where things stand: tests mirror the rooms of src/, and CONTRIBUTING draws the rooms as the check of layers knows them."""

import re
from pathlib import Path

from test_layers import ROOMS

ROOT = Path(__file__).resolve().parents[2]

ROOM_ROW = re.compile(r"^\| `([\w/]+)` \| [^|]+ \|([^|]*)\|$", re.MULTILINE)
# A whole parser against a whole RFC, a whole reactor against a worker that lies: no nouns of their own.
NO_NOUN = {"tests/unit/server/sessions/http1_conformance_test.cc", "tests/unit/server/rings/hostile_commands_test.cc",
           "tests/unit/server/rings/hostile_memory_test.cc"}
# Folders of tests/e2e that are called as no room is: what they test is the whole.
OTHER_E2E = {"torture", "examples", "guides", "helpers", "internals", "servers"}


def rooms_in(page):
    section = page[page.index("## Rooms") : page.index("## Style")]
    return {room: re.findall(r"`([\w/]+)`", known) for room, known in ROOM_ROW.findall(section)}


def test_contributing_draws_the_rooms_as_they_are():
    assert rooms_in((ROOT / "CONTRIBUTING.md").read_text()) == ROOMS


def test_a_wrong_arrow_in_contributing_is_seen():
    page = "## Rooms\n| room | what | may know |\n|---|---|---|\n| `base` | memory | |\n| `io` | files | `base`, `php` |\n## Style\n"
    assert rooms_in(page) == {"base": [], "io": ["base", "php"]}


def test_each_unit_test_stands_where_its_noun_does():
    lost = []
    for path in (ROOT / "tests/unit").rglob("*_test.cc"):
        noun = ROOT / "src" / path.relative_to(ROOT / "tests/unit").parent / path.name.removesuffix("_test.cc")
        if not noun.with_suffix(".h").exists() and not noun.with_suffix(".cc").exists():
            lost.append(str(path.relative_to(ROOT)))
    assert set(lost) == NO_NOUN, f"no noun of that name in that room: {lost}"


def test_folders_of_end_to_end_tests_are_called_as_rooms():
    folders = {path.name for path in (ROOT / "tests/e2e").iterdir() if path.is_dir() and path.name != "__pycache__"}
    rooms = {room.split("/")[-1] for room in ROOMS}
    assert folders - rooms == OTHER_E2E
