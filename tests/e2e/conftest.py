import sys
import zlib
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "helpers"))

from databases import MariaDb, Memcached, Missing, PostgreSql, Redis, RedisCluster
from harness import MODES, Server


def pytest_addoption(parser):
    parser.addoption("--sample", type=int, default=1, metavar="N", help="one of N tests, chosen by their names, the same each time")


def pytest_collection_modifyitems(config, items):
    parts = config.getoption("sample")
    left_out = [item for item in items if zlib.crc32(item.nodeid.encode()) % parts]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if zlib.crc32(item.nodeid.encode()) % parts == 0]


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
