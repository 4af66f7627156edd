"""No request sees what another one has set, while 200 of them wait in one worker: tests/e2e/torture has more of them."""

import pytest

from isolation_rig import run_rig

JIT = ("opcache.enable_cli=1", "opcache.jit=tracing", "opcache.jit_buffer_size=32M", "opcache.jit_hot_func=2", "opcache.jit_hot_loop=2")


@pytest.mark.parametrize("settings", [(), JIT], ids=["plain", "jit"])
def test_no_request_sees_another(mode, tmp_path, settings):
    run_rig(mode, tmp_path, 600, 50, settings)
