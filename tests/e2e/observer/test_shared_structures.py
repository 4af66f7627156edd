"""What the metrics tell of the application's tables and counters in shared memory, while workers come and go."""

import pytest

from admin import TOKEN, observer_of, wait_until_ready
from harness import Server, wait_until
from http_client import get
from traffic import scrape

FAMILIES = {
    "sluice_shared_table_entries": "gauge", "sluice_shared_table_bytes": "gauge", "sluice_shared_table_max_bytes": "gauge",
    "sluice_shared_table_evictions_total": "counter", "sluice_shared_table_repairs_total": "counter", "sluice_shared_counter_value": "gauge",
}


@pytest.fixture
def shape(tmp_path):
    """The bytes of the table, for the next boot."""
    file = tmp_path / "shape"
    file.write_text("262144")
    return file


@pytest.fixture
def server(mode, shape):
    with Server("shared_structures.php", mode, workers=2, ports=2, env={"TOKEN": TOKEN, "SHAPE": str(shape)}) as running:
        wait_until_ready(running)
        yield running


def table(server, name="pages"):
    metrics = scrape(server)
    return {figure: metrics.value(f"sluice_shared_table_{figure}", table=name) for figure in ("entries", "bytes", "max_bytes", "evictions_total")}


def reload(server, times):
    server.reload()
    wait_until(lambda: scrape(server).value("sluice_reloads_total", result="success") == times, "the reload is over")


def visits(server):
    return scrape(server).value("sluice_shared_counter_value", counter="visits")


def test_each_structure_is_told_by_its_name_from_the_start(server):
    metrics = scrape(server)
    assert {family: metrics.types.get(family) for family in FAMILIES} == FAMILIES
    names = {dict(labels)["table"] for (name, labels) in metrics.samples if name == "sluice_shared_table_entries"}
    assert names == {"pages", "lock:mail"}
    assert table(server)["entries"] == table(server)["bytes"] == 0
    assert table(server)["max_bytes"] > 200_000
    # Cron has one of its own.
    assert visits(server) == 0


def test_figures_are_those_of_the_table_itself(server):
    for entries in (10, 500):
        told = get(server, f"/fill?entries={entries}").json()
        assert table(server) == {"entries": told["entries"], "bytes": told["bytes"], "max_bytes": told["max_bytes"], "evictions_total": told["evictions"]}
    assert told["evictions"] > 0
    assert get(server, "/lock").text == "locked"
    get(server, "/count?by=5")
    get(server, "/count?by=-7")
    assert visits(server) == -2


def test_they_go_on_over_reloads_and_the_observers_death(server, shape):
    get(server, "/fill?entries=10")
    get(server, "/count?by=3")
    old = observer_of(server)
    old.kill()
    wait_until(lambda: not old.is_alive(), "it is dead")
    assert (table(server)["entries"], visits(server)) == (10, 3)
    reload(server, 1)
    assert (table(server)["entries"], visits(server)) == (10, 3)
    get(server, "/count?by=1")
    assert visits(server) == 4
    # Another shape is another table.
    before = table(server)["max_bytes"]
    shape.write_text("524288")
    reload(server, 2)
    wait_until(lambda: table(server)["max_bytes"] > before, "the larger table is known")
    assert table(server)["entries"] == 0
    shape.write_text("")
    reload(server, 3)
    wait_until(lambda: table(server)["entries"] is None, "there is none any more")
    assert visits(server) == 4
