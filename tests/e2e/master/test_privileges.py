"""A server that root has started runs as another user."""

import grp
import os
import pwd
import signal
import stat

import pytest

from harness import MODES, Process, wait_until
from http_client import get
from lifecycle import start

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may become another user")


def ids_of(pid):
    """Real, effective, saved, of the file system; nothing when the process has ended."""
    try:
        lines = open(f"/proc/{pid}/status").read().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return {}
    return {line.split(":")[0]: line.split(":")[1].split() for line in lines if line.startswith(("Uid", "Gid", "Groups"))}


@needs_root
@pytest.mark.both_modes
@pytest.mark.parametrize("mode", MODES)
def test_all_processes_but_the_master_run_as_the_user(script, mode, tmp_path):
    user, group = pwd.getpwnam("www-data"), grp.getgrnam("nogroup")
    folder = tmp_path / "made"
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    for parent in [tmp_path, *list(tmp_path.parents)[:3]]:  # pytest's are root's alone
        if parent.stat().st_uid == os.getuid() and parent != parent.parent:
            parent.chmod(parent.stat().st_mode | 0o055)
    log = tmp_path / "log"
    env = {"RUN_AS": "www-data", "GROUP": "nogroup", "UMASK": "027", "TOUCH": str(folder), "LOG_FILE": str(log)}
    server = start(script, mode, env=env)
    server.folder.chmod(0o777)
    server.events_file.touch()
    server.events_file.chmod(0o666)
    with server:
        for expected in (1, 2):
            who = wait_until(lambda: (found := get(server, "/who").json())["generation"] == expected and found, "it serves")
            assert (who["uid"], who["euid"], who["gid"]) == (user.pw_uid, user.pw_uid, group.gr_gid)
            assert set(who["groups"]) == set(os.getgrouplist("www-data", group.gr_gid))
            made = (folder / f"made by {who['pid']}").stat()
            assert (made.st_uid, made.st_gid, stat.S_IMODE(made.st_mode)) == (user.pw_uid, group.gr_gid, 0o640)
            for process in server.processes():
                uids = {str(os.geteuid())} if process.pid == server.process.pid else {str(user.pw_uid)}
                found = ids_of(process.pid)
                assert not found or set(found["Uid"]) == uids, process
            if expected == 1:
                log.rename(tmp_path / "old log")
                server.signal(signal.SIGHUP)
        wait_until(lambda: log.exists() and "generation 2 has taken over" in log.read_text(), "the new log is written")
        assert log.stat().st_uid == user.pw_uid
        Process(who["pid"]).kill()
        wait_until(lambda: "a new one takes its place" in log.read_text(), "the master sees deaths")
        if mode == "process":
            server.reactor().kill()
            wait_until(lambda: get(server, "/who").json()["uid"] == user.pw_uid, "another reactor runs")
        server.process.kill()
        server.process.wait()
        wait_until(lambda: not server.processes(), "they end with the master")
        server.may_fail = True


@needs_root
def test_without_root_nobody_else_can_be_run_as(script, tmp_path):
    import subprocess

    server = start(script, "process", env={"RUN_AS": "www-data"})
    plain, ids = subprocess.Popen, pwd.getpwnam("nobody")
    script.chmod(0o644)
    for parent in list(script.parents)[:4]:
        if parent.stat().st_uid == os.getuid() and parent != parent.parent:
            parent.chmod(parent.stat().st_mode | 0o055)
    server.folder.chmod(0o777)
    subprocess.Popen = lambda *words, **more: plain(*words, **more, user=ids.pw_uid, group=ids.pw_gid)
    try:
        server.launch()
    finally:
        subprocess.Popen = plain
    try:
        assert server.wait() != 0
        assert f"The server cannot run as the user www-data: it was started by user {ids.pw_uid}, and only root may become another one" in server.output()
    finally:
        server.kill_everything()
