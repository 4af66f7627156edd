import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "helpers"))

from databases import MariaDb, Memcached, Missing, PostgreSql, Redis, RedisCluster
from harness import MODES, Server
import parts


def pytest_addoption(parser):
    parser.addoption("--part", choices=parts.PARTS, default="all", help="quick: the cases of make test; rest: what make check runs besides; sample: a third of all")


def pytest_collection_modifyitems(config, items):
    part = config.getoption("part")

    def is_wanted(item):
        mode = item.callspec.params.get("mode") if hasattr(item, "callspec") else None
        marks = {mark.name for mark in item.iter_markers()}
        return parts.is_in(part, item.nodeid, mode, marks, item.fixturenames)

    wanted, others = [], []
    for item in items:
        (wanted if is_wanted(item) else others).append(item)
    items[:] = sorted(wanted, key=lambda item: parts.place_of(item.nodeid))
    config.hook.pytest_deselected(items=others)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return parts.new_scheduler(config, log)


@pytest.fixture(scope="module", params=MODES)
def mode(request):
    return request.param


@pytest.fixture(scope="module")
def process_mode_only(mode):
    if mode != "process":
        pytest.skip("in base mode the connections live in the worker itself")


@pytest.fixture(scope="module")
def module_server(request, mode):
    """The server that a test file names with SERVER = dict(script=..., ...), shared by the tests of that file."""
    with Server(mode=mode, **request.module.SERVER) as server:
        yield server


@pytest.fixture
def server(module_server, capsys):
    """module_server, checked before and after each test; its output meanwhile is shown when the test fails."""
    assert module_server.process.poll() is None, f"an earlier test has ended the server\n{module_server.output()}"
    before = len(module_server.output())
    yield module_server
    print(module_server.output()[before:])
    assert module_server.process.poll() is None, f"the server has ended\n{module_server.output()}"


def database(kind):
    """A fixture: one such server for the whole run, started when the first test asks for it. One that a test has killed
    is back for the next."""
    @pytest.fixture(scope="session", name=f"{kind.name}_of_session")
    def of_session():
        try:
            with kind() as server:
                yield server
        except Missing as missing:
            pytest.skip(str(missing))

    @pytest.fixture(name=kind.name)
    def each(request):
        server = request.getfixturevalue(f"{kind.name}_of_session")
        yield server
        if server.process.poll() is not None:
            server.restart()

    return of_session, each


mariadb_of_session, mariadb = database(MariaDb)
postgresql_of_session, postgresql = database(PostgreSql)
redis_of_session, redis = database(Redis)
rediscluster_of_session, rediscluster = database(RedisCluster)
memcached_of_session, memcached = database(Memcached)
