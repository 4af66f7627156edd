"""Two users at a time, reloads meanwhile, and memory that does not grow: for each of Debian's applications."""

import re
import signal
import threading
from pathlib import Path

import pytest

from debian_sites import SITES, USERS
from harness import DEADLINE_S, Server, wait_until

pytestmark = pytest.mark.slow

REQUESTS_EACH = 100
# How long pages that take 0.1 s of a processor may take on a machine that has other work.
WHOLE_S = 20 * DEADLINE_S
# Of 60 requests; what allocators and caches of the kind take after the first ones.
MOST_GROWTH_KB = 3_000


class Asking(threading.Thread):
    """A user who asks for pages of the application's, and looks whose they are."""

    def __init__(self, site, address, user, requests):
        super().__init__(daemon=True)
        self.site, self.user, self.requests = site, user, requests
        self.visitor, self.wrong, self.done = site.log_in(address, user), [], 0

    def run(self):
        for number in range(self.requests):
            try:
                page = self.visitor.get(self.site.pages[number % len(self.site.pages)])
                if page.status != 200 or not self.site.is_of(self.user, page):
                    self.wrong.append(repr(page)[:500])
            except OSError as error:
                self.wrong.append(repr(error))
            self.done = number + 1


def generations(server):
    return [int(number) for number in re.findall(r"generation (\d+) has taken over", server.output())]


def memory_kb(server):
    """What the processes have for themselves: the longest-lived of those for scripts, and all others."""
    total, of_scripts = 0, [0]
    for process in server.processes():
        try:
            own = sum(map(int, re.findall(r"^Private_\w+: +(\d+) kB", Path(f"/proc/{process.pid}/smaps_rollup").read_text(), re.MULTILINE)))
        except OSError:
            continue
        if "script" in process.title():
            of_scripts.append(own)
        else:
            total += own
    return total + max(of_scripts)


@pytest.mark.parametrize("name", SITES)
def test_two_users(mode, mariadb, tmp_path, name):
    site = SITES[name](name, f"two_of_{name}_{mode}", mariadb, tmp_path)
    with Server("document_root.php", mode, workers=2, env={"FOLDER": str(site.folder), "FRONT": "index.php"}, settings=(*site.settings, "opcache.enable_cli=1")) as server:
        site.install(server.address)
        users = [Asking(site, server.address, user, REQUESTS_EACH) for user in USERS]
        for user in users:
            user.start()
        for number in (1, 2):
            wait_until(lambda number=number: sum(user.done for user in users) >= number * 60, f"request {number * 60} is answered", WHOLE_S)
            server.signal(signal.SIGHUP)
            wait_until(lambda number=number: number + 1 in generations(server), f"reload {number}", 4 * DEADLINE_S)
        for user in users:
            user.join(WHOLE_S)
            assert user.done == REQUESTS_EACH and not user.wrong, (user.done, user.wrong[:3])

        # Some first: the workers and the processes are new.
        sizes = []
        for requests in (30, 60):
            user = Asking(site, server.address, USERS[0], requests)
            user.run()
            assert not user.wrong, user.wrong[:3]
            sizes.append(memory_kb(server))
        assert sizes[1] - sizes[0] < MOST_GROWTH_KB, sizes
        assert "Fatal" not in server.output(), server.output()
