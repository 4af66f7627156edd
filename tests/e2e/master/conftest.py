import pytest

from harness import SERVERS


@pytest.fixture
def script(tmp_path):
    """A copy of servers/lifecycle.php that the test may change."""
    path = tmp_path / "script.php"
    path.write_text((SERVERS / "lifecycle.php").read_text())
    return path
