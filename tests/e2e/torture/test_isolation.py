"""No request sees what another one has set, while 200 of them wait in one worker, ten thousand times."""

import os

import pytest

from isolation_rig import run_rig

pytestmark = pytest.mark.slow

REQUESTS = 10_000 if "SLUICE_TORTURE" in os.environ else 1_000


def test_no_request_sees_another(mode, tmp_path):
    settings = ("opcache.enable_cli=1", "opcache.jit=tracing", "opcache.jit_buffer_size=32M", "opcache.jit_hot_func=2", "opcache.jit_hot_loop=2")
    run_rig(mode, tmp_path, REQUESTS, 50, settings)
