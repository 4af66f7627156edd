"""docs/suspends.md, and whether it is true: each of its calls is run several times at once by one PHP, against a real server where
it talks to one.

What is found is an order of events. A call *suspends* when all of them have begun before the first has ended, with another
coroutine running meanwhile, and all of them wait at the server together. It *runs in a thread* when, besides, the process has
begun threads for it. It *blocks* when it ends, or never ends, before anything else runs.

`make suspends` writes the page; here it fails when the page says something else.
"""

import contextlib
import json
import os
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest

import gates
from certificates import Certificates
from harness import CRASHES, DEADLINE_S, ROOT, SANITIZED, php_command
from suspends_calls import SECTIONS

PAGE = ROOT / "docs" / "suspends.md"
WRITES = bool(os.environ.get("SLUICE_WRITE_SUSPENDS"))
SUSPENDS, THREAD, BLOCKS = "suspends", "runs in a thread", "blocks"
# For calls of which it is known that nobody else will ever run. A call that does suspend does not depend on it.
SHORT_S = 0.5
CALLS = {call.name: call for calls in SECTIONS.values() for call in calls}
DATABASES = ("mariadb", "postgresql", "redis", "memcached")

SCRIPT = r"""
use Sluice\Coroutine;

/** Out of memory, so that the disk has to be asked. */
function forget(string $file): void
{
    exec('sync ' . escapeshellarg($file) . '; dd of=' . escapeshellarg($file) . ' oflag=nocache conv=notrunc,fdatasync count=0 status=none');
}
function threads(): int
{
    return count(scandir('/proc/self/task')) - 2;
}
extract(json_decode($argv[1], true));
$shared = new stdClass();
$prepare = eval('return function (int $i) use ($port, $folder, $shared) {' . $prepare . '};');
$call = eval('return function (int $i, mixed $p) use ($port, $folder, $shared) {' . $call . '};');
$wake = eval('return function (array $prepared) use ($port, $folder, $shared) { static $keep; ' . $wake . '};');
$found = Coroutine\run(function () use ($prepare, $call, $wake, $count) {
    $prepared = [];
    for ($i = 0; $i < $count; $i++) {
        $prepared[] = $prepare($i);
    }
    $threads = threads();
    $begun = $ended = $most = 0;
    $endedBefore = null;
    $tasks = [];
    foreach ($prepared as $i => $p) {
        $tasks[] = Coroutine\spawn(function () use ($i, $p, $call, &$begun, &$ended, &$most) {
            $most = max($most, ++$begun - $ended);
            try {
                return $call($i, $p);
            } finally {
                ++$ended;
            }
        });
    }
    $tasks[] = Coroutine\spawn(function () use (&$ended, &$endedBefore, $wake, $prepared) {
        $endedBefore = $ended;
        echo "others ran\n";
        $wake($prepared);
        return true;
    });
    $results = array_map(fn ($task) => $task->await(), $tasks);
    return [
        'most' => $most,
        'endedBefore' => $endedBefore,
        'threads' => threads() - $threads,
        'failed' => count(array_filter($results, fn ($result) => $result === false || $result === null || $result === '')),
    ];
});
echo json_encode($found), "\n";
"""


def verdicts_of(page):
    """What a page says, by call."""
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return {name: verdict for name, _, verdict in rows if verdict in (SUSPENDS, THREAD, BLOCKS)}


COMMITTED = verdicts_of(PAGE.read_text()) if PAGE.exists() else {}
found_now = {}


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    made = Certificates(tmp_path_factory.mktemp("certificates"))
    made.make("gate", "localhost", "127.0.0.1")
    return made


@contextlib.contextmanager
def server_of(call, gate, request):
    """The port that the call talks to, with the gate in it."""
    with contextlib.ExitStack() as stack:
        enter = stack.enter_context
        if call.server in DATABASES:
            yield enter(gates.proxy(request.getfixturevalue(call.server).port, gate, call.at))
        elif call.server in ("line", "sink"):
            yield enter(getattr(gates, call.server)(gate))
        elif call.server == "backlog":
            yield enter(gates.full_backlog(gate))
        elif call.server == "tls":
            yield enter(gates.tls(gate, request.getfixturevalue("certificates")))
        elif call.server in ("http", "https"):
            yield enter(gates.http_server(gate, request.getfixturevalue("certificates") if call.server == "https" else None))
        elif call.server == "ssh" and call.at is None:
            yield enter(gates.proxy(enter(gates.ssh(gate, call.at)), gate, None))
        elif call.server:
            yield enter(getattr(gates, call.server)(gate, call.at))
        else:
            yield 0


def has_extension(name):
    command, env = php_command()
    code = f"exit((int) !extension_loaded('{name}'));"
    return not name or subprocess.run([*command, "-r", code], env=os.environ | env, check=False).returncode == 0


def folder_for(call):
    """What is to be read from a disk must be on one: /tmp may be in memory."""
    place = ROOT / "build" / "test"
    return tempfile.TemporaryDirectory(prefix="sluice-", dir=place if call.cold and place.exists() else None)


def can_be_cold(folder):
    """Whether a file can be made to leave memory there. The kernel need not oblige at once."""
    path = Path(folder) / "probe"
    for _ in range(20):
        path.write_bytes(os.urandom(4 << 20))
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            for offset in range(0, 4 << 20, 256 << 10):
                try:
                    os.preadv(file.fileno(), [bytearray(4096)], offset, os.RWF_NOWAIT)
                except BlockingIOError:
                    return True
                except OSError:
                    return False  # cannot tell
    return False


def run(call, port, folder, gate, patience_s):
    """What the script has found, and what it wrote; None for the former when nothing else ever ran."""
    command, env = php_command()
    for setting in call.ini:
        if setting == "RES":
            env = env | {"RES_OPTIONS": "timeout:1 attempts:1"}
        else:
            command = [*command, "-d", setting.replace("$port", str(port)).replace("$folder", str(folder))]
    values = {"port": port, "folder": str(folder), "prepare": call.prepare, "call": call.code, "wake": call.wake,
              "count": call.count}
    process = subprocess.Popen([*command, "-r", SCRIPT, "--", json.dumps(values)], env=os.environ | env, cwd=folder, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    lines, errors = [], []
    others = threading.Event()

    def read_lines():
        for line in process.stdout:
            lines.append(line)
            if line == "others ran\n":
                gate.hear_that_others_ran()
                others.set()
        others.set()

    readers = [threading.Thread(target=read_lines), threading.Thread(target=lambda: errors.append(process.stderr.read()))]
    for reader in readers:
        reader.start()
    try:
        process.wait(patience_s if call.wake else DEADLINE_S * 4)
    except subprocess.TimeoutExpired:
        assert not others.is_set(), f"{call.name} does not end though it was ended\n{''.join(lines)}"
        lines.append("null\n")
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait()
        for reader in readers:
            reader.join()
    said = "".join(lines + errors)
    assert not CRASHES.search(said), said
    try:
        return json.loads(lines[-1]), said
    except (IndexError, json.JSONDecodeError):
        raise AssertionError(f"{call.name}: {process.returncode}\n{said}") from None


def verdict_of(call, request):
    """How it waits, and why that is known."""
    is_known_to_block = not WRITES and COMMITTED.get(call.name) == BLOCKS
    patience_s = SHORT_S if is_known_to_block else DEADLINE_S
    if call.server in DATABASES:
        request.getfixturevalue(call.server)  # starts, which is not to be waited for below
    said = ""
    for _ in range(call.tries):
        gate = gates.Gate(call.count, patience_s)
        with folder_for(call) as folder, server_of(call, gate, request) as port:
            os.chmod(folder, 0o777)
            if call.cold and not can_be_cold(folder):
                pytest.skip("every file is in memory here")
            # What blocks until the script itself ends the waiting never ends.
            patience_of_run_s = max(patience_s, 5 if SANITIZED else 2) if is_known_to_block else DEADLINE_S
            found, said = run(call, port, Path(folder), gate, patience_of_run_s)
            gate.open()
        if found is None:
            return BLOCKS, said
        assert not found["failed"], f"{call.name} failed\n{said}"
        together = found["most"] == call.count and found["endedBefore"] == 0
        if together and gate.most not in (0, call.count) and call.tries == 1:
            raise AssertionError(f"{call.name}: only {gate.most} of {call.count} were at the server together\n{said}")
        if together:
            return (THREAD if found["threads"] > 0 else SUSPENDS), said
        if call.tries == 1 and found["most"] != 1 and call.count > 1:
            raise AssertionError(f"{call.name}: only {found['most']} of {call.count} waited together\n{said}")
    return BLOCKS, said


@pytest.mark.parametrize("name", CALLS)
def test_waits_as_the_page_says(name, request):
    call = CALLS[name]
    if not has_extension(call.needs):
        pytest.skip(f"PHP has no {call.needs} here")
    verdict, said = verdict_of(call, request)
    found_now[name] = verdict
    if not WRITES:
        assert COMMITTED.get(name) == verdict, f"docs/suspends.md is not true any more: run `make suspends`\n{said}"


HEAD = """# What suspends

A call that waits does one of three things to the coroutine that makes it, and to the other coroutines of its worker:

- it **suspends**: only this coroutine waits, the others run on;
- it **runs in a thread**: one of at most 16 threads makes the call, and only this coroutine waits, since the kernel offers no other way.
  When all threads are busy, the coroutine waits for one;
- it **blocks**: the whole worker waits. That does no harm when the call is short, as for a file that is in memory.

A test writes this page (`make suspends`). It runs each call several times at once, against real servers, and
looks at the order of events: whether other coroutines ran meanwhile, and whether all calls waited together. It reads no
clock. A call that is not listed behaves as the C library's functions that it calls.

"""

NOTES = """
## What never suspends

- **SQLite's own work**: SQLite calls the system through pointers in its data, which import tables do not show. A query blocks the
  worker for as long as it takes. Only the wait for a database that another process has locked - sleep, and try again -
  suspends. So it is by odbc and by PDO's driver odbc, which suspend with the drivers for MariaDB and PostgreSQL.
- **Files**, except reading a file that is not in memory, and `fsync()`: the kernel cannot tell whether
  opening, writing or renaming would wait. On a local disk these calls are short; on NFS they may take long.
- **Compiling** (`include`, `require`, `eval()`) and **autoloading**: neither the compiler nor opcache may be interrupted by another
  compilation, and while a class is loaded PHP says "Class not found" to all other code that needs it. An error handler that is called while a
  class is linked blocks, and so does the function of the setting `unserialize_callback_func`.
- **Functions whose state coroutines would share**: `array_multisort()`, `mb_ereg_replace_callback()`, `collator_sort()` and other sorts of intl,
  `highlight_file()`, `highlight_string()`, `php_strip_whitespace()`, `parse_ini_file()`, `msgpack_pack()`, `apcu_entry()`, `odbc_close_all()`; all of imap and snmp, which block until their server answers. Calls that wait in their callbacks block; [isolation.md](isolation.md) has the reasons.
- **Where PHP forbids switching Fibers**, such as in a destructor that the garbage collector
  runs before PHP 8.4, and in tick functions: calls that wait block there.
- **Other threads**: calls in threads of libraries, such as curl's when it looks up a name, are not hooked.
  The coroutine that waits for such a thread suspends.
- **Look-up of names by libldap**: libldap holds a lock of the whole process meanwhile. Give it addresses, or use a local name server.
- **Outside of coroutines**, and in processes that PHP code forks, all calls block, as in PHP without Sluice.

## Switching it off

`sluice.hooks` in php.ini names the groups of calls that are hooked: `time`, `sockets`, `names`, `locks`, `processes`, `files`; or `all`
(the default), or `none`. With `sluice.coroutines = 0` handlers run without coroutines.
"""


def page_with(verdicts):
    parts = [HEAD]
    for title, calls in SECTIONS.items():
        rows = [f"| {call.name} | {call.waits_for} | {verdicts[call.name]} |" for call in calls if call.name in verdicts]
        parts.append("\n".join([f"## {title}\n", "| call | waits for | what happens |", "|---|---|---|", *rows, "", ""]))
    return "".join(parts).rstrip("\n") + "\n" + NOTES


@pytest.mark.skipif(not WRITES, reason="writes docs/suspends.md for `make suspends`")
def test_the_page_is_written():
    PAGE.write_text(page_with(COMMITTED | found_now))


@pytest.mark.skipif(WRITES, reason="it is being written")
def test_the_page_is_what_was_found():
    assert len(COMMITTED) >= 60
    assert PAGE.read_text() == page_with(COMMITTED), "docs/suspends.md was edited by hand, or the calls have changed: run `make suspends`"
