"""What whole applications cost beside php-fpm: Debian's, from a folder, and those of frameworks; two users, reloads meanwhile, memory at the begin and at the end."""

import contextlib
import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

from applications import FRAMEWORKS, applications
from fpm import CHILDREN, fpm_behind_nginx
from measuring import ROOT, Failure, figure, php, serving, session_processes, sessions_cpu_seconds, sessions_memory_mb

sys.path.append(str(ROOT / "tests/e2e/helpers"))

PLACE = 26
NEEDS = ()
TOGETHER = 16
OPCACHE = ("opcache.enable_cli=1", "opcache.enable=1")
# Turns of both servers, so that whatever else the machine does falls on both; reloads before two of them.
TURNS = 10
RELOADED = (3, 6)
RELOAD_TIMEOUT_S = 60


class Hello:
    """The page of a framework's application, whoever asks."""

    pages = ("/",)

    def log_in(self, address, _user):
        from debian_applications import Visitor
        return Visitor(address)

    def is_of(self, _user, page):
        return page.text == "hello world"


class Asked:
    """A server, and what it has cost."""

    def __init__(self, site, address, sessions, users, hang_up=None):
        self.site, self.sessions, self.hang_up = site, sessions, hang_up
        self.visitors = {user: site.log_in(address, user) for user in users}
        self.requests = self.errors = 0
        self.cpu_s, self.memory_mb = 0.0, []

    def ask(self, user, requests):
        for number in range(requests):
            try:
                page = self.visitors[user].get(self.site.pages[number % len(self.site.pages)])
                is_right = page.status == 200 and self.site.is_of(user, page)
            except OSError:
                is_right = False
            self.errors += not is_right

    def reload(self):
        """Returns when only the master and the reactor are left of the processes that served before: what others have cost is no longer counted when they have ended."""
        old = {pid for pid, _ in session_processes(self.sessions)}
        self.hang_up()
        deadline = time.monotonic() + RELOAD_TIMEOUT_S
        while len(old & {pid for pid, _ in session_processes(self.sessions)}) > 2:
            if time.monotonic() > deadline:
                raise Failure("The processes from before a reload do not end.")
            time.sleep(0.05)

    def turn(self, requests):
        """Both users at a time."""
        before = sessions_cpu_seconds(self.sessions)
        users = [threading.Thread(target=self.ask, args=(user, requests // len(self.visitors))) for user in self.visitors]
        for user in users:
            user.start()
        for user in users:
            user.join()
        self.cpu_s += sessions_cpu_seconds(self.sessions) - before
        self.requests += requests // len(users) * len(users)
        self.memory_mb.append(sessions_memory_mb(self.sessions))

    def row(self, name, who, beside):
        cpu = self.cpu_s / self.requests
        ratio = f"{cpu / (beside.cpu_s / beside.requests):.2f}" if beside else ""
        return [name, who, str(self.requests), str(self.errors), figure(cpu * 1e3, 2), ratio, figure(self.memory_mb[0], 1), figure(self.memory_mb[-1], 1)]


def of_debian(stack, name):
    """The servers of one of Debian's applications: Sluice's, and nginx with php-fpm."""
    import pytest
    from databases import MariaDb, Missing
    from debian_sites import SITES, USERS
    from harness import Server
    from nginx import nginx_and_fpm

    try:
        mariadb = stack.enter_context(MariaDb())
        site = SITES[name](name, f"bench_{name}", mariadb, Path(stack.enter_context(tempfile.TemporaryDirectory())))
        settings = (*site.settings, *OPCACHE)
        server = stack.enter_context(Server("document_root.php", env={"FOLDER": str(site.folder), "FRONT": "index.php"}, settings=settings))
        site.install(server.address)
        nginx = stack.enter_context(nginx_and_fpm(site.folder, "index.php", settings, CHILDREN))
    except (Missing, pytest.skip.Exception) as missing:
        raise Failure(str(missing)) from None
    return Asked(site, server.address, [server.process.pid], USERS, lambda: server.signal(signal.SIGHUP)), Asked(site, nginx.address, nginx.sessions, USERS)


def of_framework(stack, name, folder):
    from debian_sites import USERS

    def place(address):
        host, _, port = address.partition(":")
        return host, int(port)

    settings = [word for setting in OPCACHE for word in ("-d", setting)]
    address, pid = stack.enter_context(serving(*php(), *settings, ROOT / "bench/application.php", "{address}", name, folder, TOGETHER))
    environment = {variable: os.environ[variable] for variable in ("VENDOR", "APP_KEY", "APP_ENV", "APP_DEBUG", "LOG_CHANNEL", "CACHE_STORE", "SESSION_DRIVER")}
    there, sessions = stack.enter_context(fpm_behind_nginx(folder / "public/index.php", environment))
    return Asked(Hello(), place(address), [pid], USERS, lambda: os.kill(pid, signal.SIGHUP)), Asked(Hello(), place(there), sessions, USERS)


def measure(options):
    from debian_sites import SITES

    rows = [["page", "who", "requests", "errors", "CPU ms", "of php-fpm", "MB after a tenth", "MB at the end"]]
    with applications() as folders:
        for name in (*SITES, *FRAMEWORKS):
            with contextlib.ExitStack() as stack:
                here, there = of_debian(stack, name) if name in SITES else of_framework(stack, name, folders[name])
                for turn in range(TURNS):
                    if turn in RELOADED:
                        here.reload()
                    for asked in (here, there):
                        asked.turn(options.requests // TURNS)
                rows += [here.row(FRAMEWORKS.get(name, name), "Sluice", there), there.row(FRAMEWORKS.get(name, name), f"nginx and php-fpm ({CHILDREN} children)", None)]
    return ("Whole applications: two users at a time, each of whom asks for pages of the user's own; opcache on; CPU time and memory (PSS) of all processes of each server. "
            "Sluice is reloaded twice meanwhile", rows, "An error is a status other than 200, no answer, or another user's page.")
