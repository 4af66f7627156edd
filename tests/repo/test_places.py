"""Where things stand: tests mirror the components of src/, and CONTRIBUTING draws the components as tests/repo/test_layers.py knows them."""

import re
from pathlib import Path

from test_layers import COMPONENTS

ROOT = Path(__file__).resolve().parents[2]

ROOM_ROW = re.compile(r"^\| `([\w/]+)` \| [^|]+ \|([^|]*)\|$", re.MULTILINE)
# These tests have no noun of src/: a whole parser against an RFC, a whole reactor against a worker that lies.
NO_NOUN = {"tests/unit/server/sessions/http1_conformance_test.cc", "tests/unit/server/sessions/http1_refused_test.cc",
           "tests/unit/server/rings/hostile_commands_test.cc",
           "tests/unit/server/rings/hostile_kinds_test.cc", "tests/unit/server/rings/hostile_memory_test.cc"}
# Folders of tests/e2e without a component of that name: they test the whole.
OTHER_E2E = {"applications", "torture", "examples", "guides", "helpers", "internals", "packages", "servers"}


def components_in(page):
    section = page[page.index("## Components") : page.index("## Style")]
    return {component: re.findall(r"`([\w/]+)`", known) for component, known in ROOM_ROW.findall(section)}


def test_contributing_draws_the_components_as_they_are():
    assert components_in((ROOT / "CONTRIBUTING.md").read_text()) == COMPONENTS


def test_a_wrong_arrow_in_contributing_is_seen():
    page = "## Components\n| component | what | may know |\n|---|---|---|\n| `core` | memory | |\n| `io` | files | `core`, `php` |\n## Style\n"
    assert components_in(page) == {"core": [], "io": ["core", "php"]}


def test_each_unit_test_stands_where_its_noun_does():
    lost = []
    for path in (ROOT / "tests/unit").rglob("*_test.cc"):
        folder = ROOT / "src" / path.relative_to(ROOT / "tests/unit").parent
        # The tests of one noun may stand in several files: <noun>_<theme>_test.cc.
        words = path.name.removesuffix("_test.cc").split("_")
        nouns = ["_".join(words[:count]) for count in range(1, len(words) + 1)]
        if not any((folder / f"{noun}{ending}").exists() for noun in nouns for ending in (".h", ".cc")):
            lost.append(str(path.relative_to(ROOT)))
    assert set(lost) == NO_NOUN, f"no noun of that name in that component: {lost}"


def test_folders_of_end_to_end_tests_are_called_as_components():
    folders = {path.name for path in (ROOT / "tests/e2e").iterdir() if path.is_dir() and path.name != "__pycache__"}
    components = {component.split("/")[-1] for component in COMPONENTS}
    assert folders - components == OTHER_E2E
