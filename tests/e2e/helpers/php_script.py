"""Runs a piece of PHP as a plain script, outside any server."""

import json
import os
import subprocess

from harness import CRASHES, DEADLINE_S, php_command

PRELUDE = """<?php
declare(strict_types=1);
use Sluice\\{Coroutine, Http, Pool};
use Sluice\\Http\\Client;
use Sluice\\WebSocket;
function attempt(callable $what): array
{
    try {
        return ['value' => $what()];
    } catch (Throwable $e) {
        return ['error' => get_class($e), 'message' => $e->getMessage()];
    }
}
extract(json_decode($argv[1], true));
"""

PLACES = ("plain", "coroutine")


def run_php(place, code, **variables):
    """The value that `code` returns. In `coroutine` it runs under Sluice\\Coroutine\\run()."""
    main = f"$main = function () use (&$argv) {{ extract(json_decode($argv[1], true)); {code} }};"
    call = "$main()" if place == "plain" else "Coroutine\\run($main)"
    script = f"{PRELUDE}{main}\necho json_encode({call}, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);"
    command, env = php_command()
    done = subprocess.run([*command, "-r", script.removeprefix("<?php"), "--", json.dumps(variables)], env=os.environ | env,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE_S * 2, check=False)
    assert done.returncode == 0 and not CRASHES.search(done.stderr), f"{done.returncode}\n{done.stdout}{done.stderr}"
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        raise AssertionError(f"{done.stdout}{done.stderr}") from None
