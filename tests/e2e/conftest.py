import pytest

from harness import MODES, Server


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
    """The same, seen to be well before and after each test; what it wrote meanwhile is shown when the test fails."""
    assert module_server.process.poll() is None, f"an earlier test has ended the server\n{module_server.output()}"
    before = len(module_server.output())
    yield module_server
    print(module_server.output()[before:])
    assert module_server.process.poll() is None, f"the server has ended\n{module_server.output()}"
