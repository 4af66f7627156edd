"""A server that watches its files boots the script anew when they change, and goes on when that fails."""

import re

import pytest

from harness import Server, wait_until
from http_client import get


WAITED = re.compile(r"files that are watched change while the script boots: this reload waited for (\d+) ms$", re.MULTILINE)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "application"
    folder.mkdir()
    answer(folder, "first")
    return folder


@pytest.fixture
def server(mode, folder):
    with Server("watched.php", mode, env={"FOLDER": str(folder)}) as running:
        yield running


def answer(folder, text):
    (folder / "answer.php").write_text(f"<?php return '{text}';")


def told(server):
    return get(server, "/").json()


def generation_after(server, before):
    wait_until(lambda: told(server)["generation"] > before, "a new generation answers")
    return told(server)["generation"]


def test_a_change_is_served(server, folder):
    assert told(server) == {"answer": "first", "generation": 1}
    for text in ("second", "third"):
        answer(folder, text)
        wait_until(lambda: told(server)["answer"] == text, f"the {text} version answers")
    assert f"{folder}/answer.php has changed" in server.output()


def test_a_change_during_the_first_boot_is_served(mode, folder):
    with Server("watched.php", mode, env={"FOLDER": str(folder), "EDITED": "yes"}) as server:
        wait_until(lambda: told(server)["answer"] == "second", "the second version answers")
        assert told(server)["generation"] == 2


def test_the_banner_says_so(server, folder):
    assert f"booted anew when files change in {folder}" in server.output()


def test_a_broken_change_is_shown_and_the_next_one_mends_it(server, folder):
    (folder / "answer.php").write_text("<?php return 'second'")
    wait_until(lambda: "the reload has failed" in server.output(), "the reload has failed")
    assert "PHP Parse error:  syntax error, unexpected end of file" in server.output()
    assert told(server) == {"answer": "first", "generation": 1}
    answer(folder, "second")
    wait_until(lambda: told(server)["answer"] == "second", "the mended version answers")


def test_files_of_other_names_change_nothing(server, folder):
    (folder / "notes.txt").write_text("x")
    (folder / ".answer.php.swp").write_text("x")
    (folder / "page.twig").write_text("x")
    assert generation_after(server, 1) == 2
    assert "page.twig has changed" in server.output()
    assert "notes.txt" not in server.output() and ".swp" not in server.output()


def test_new_folders_are_watched(server, folder):
    (folder / "more").mkdir()
    (folder / "more" / "a.php").write_text("<?php")
    first = generation_after(server, 1)
    (folder / "more" / "b.php").write_text("<?php")
    generation_after(server, first)


def test_a_script_that_changes_its_own_files_boots_less_and_less_often(mode, folder):
    with Server("watched.php", mode, env={"FOLDER": str(folder), "TOUCH": "yes"}) as server:
        def waited_ms():
            return [int(ms) for ms in WAITED.findall(server.output())]

        # Its first boot has changed one already. Where boots take longer than the pause, one may follow another at once, and a pause is left out.
        wait_until(lambda: (waited_ms() or [0])[-1] >= 320, "the pauses have grown")
        waited = waited_ms()
        assert waited == sorted(waited) and set(waited) <= {20 * 2**times for times in range(1, 10)}
        assert told(server)["answer"] == "first"
