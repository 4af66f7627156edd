"""Scripts that were written for php-fpm answer requests, many at a time in one worker, each with superglobals, headers and output of its own."""

import concurrent.futures
import hashlib
import json
import os
import subprocess

import pytest

from harness import SANITIZED, Server, wait_until
from http_client import ClosedEarly, get

SERVER = dict(script="classic.php", env={"SESSION_PREFIX": f"sluice{os.getpid()}"})


def page(server, case, path="/page.php", **more):
    return get(server, f"{path}?case={case}", **more)


def all_of(server, number):
    name = f"v{number}" + "x" * (number % 5)
    response = get(server, f"/?case=all&name={name}", method="POST", body=f"field={name}".encode(), headers=[
        ("Content-Type", "application/x-www-form-urlencoded"), ("Cookie", f"id={name}"), ("X-Name", name)])
    return name, response


def test_many_at_a_time_see_nothing_of_each_other(server):
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        for name, response in pool.map(lambda number: all_of(server, number), range(300)):
            assert response.status == 200 + len(name) % 4
            assert response.json() == []
            assert response.header("X-Name") == name
            assert response.all("X-List") == ["first", "second"]
            assert response.header("Set-Cookie") == f"visitor={name}"


CROWD = 200


def in_the_crowd(server, number):
    name, do = f"n{number}", ["echo", "redirect", "exit", "upload", "session", "throw"][number % 6]
    parts = {"name=\"do\"": do, "name=\"name\"": name} | ({f"name=\"file\"; filename=\"{name}.txt\"": f"content of {name}" * 50} if do == "upload" else {})
    body = "".join(f"--b\r\nContent-Disposition: form-data; {what}\r\n\r\n{value}\r\n" for what, value in parts.items()) + "--b--\r\n"
    return name, do, get(server, f"/page.php?case=crowd&of={CROWD}&name={name}", method="POST", headers=[("Content-Type", "multipart/form-data; boundary=b")], body=body.encode())


def test_two_hundred_at_once_in_one_worker(mode):
    """Pages that echo, set cookies and headers, read forms and uploads, redirect, exit and throw. Each waits until all are there."""
    with Server("classic.php", mode, workers=1, env=SERVER["env"]) as server, concurrent.futures.ThreadPoolExecutor(CROWD) as pool:
        for name, do, response in pool.map(lambda number: in_the_crowd(server, number), range(CROWD)):
            if do == "throw":
                assert response.status == 500 and name not in response.text, response
                continue
            assert (response.header("X-Name"), response.header("Set-Cookie")) == (name, f"visitor={name}")
            assert response.text == f"begun by {name}\n" + {
                "echo": "", "redirect": "", "exit": f"left by {name}", "session": name,
                "upload": json.dumps([f"{name}.txt", True, f"content of {name}" * 50], separators=(",", ":"))}[do]
            assert (response.status, response.header("Location")) == ((302, f"/of/{name}") if do == "redirect" else (200, None))
        assert len(server.events("start")) == 1


def test_other_handlers_see_what_is_outside(server):
    assert page(server, "").text == "hello nobody"
    assert get(server, "/plain?a=b").json() == [[], True, False, False]


def test_server_variables(server):
    answer = page(server, "server", path="/page.php/info", headers=[("Authorization", "Basic dXNlcjpzZWNyZXQ=")]).json()
    assert answer == {
        "REQUEST_METHOD": "GET", "SCRIPT_NAME": "/page.php", "PHP_SELF": "/page.php/info", "PATH_INFO": "/info", "QUERY_STRING": "case=server",
        "SERVER_PROTOCOL": "HTTP/1.1", "PHP_AUTH_USER": "user", "PHP_AUTH_PW": "secret",
        "GATEWAY_INTERFACE": "CGI/1.1", "same": True, "root": True}


def multipart(server, case, content):
    body = (b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n\r\n" + content +
            b"\r\n--b\r\nContent-Disposition: form-data; name=\"field[x]\"\r\n\r\nvalue\r\n--b--\r\n")
    return get(server, f"/?case={case}", method="POST", headers=[("Content-Type", "multipart/form-data; boundary=b")], body=body)


def test_uploads(server):
    for content in (b"hello", bytes(range(256)) * 4000):
        answer = multipart(server, "upload", content).json()
        assert answer == [{"field": {"x": "value"}}, "a.bin", len(content), True, True, hashlib.md5(content).hexdigest(), False]


def test_an_upload_that_nobody_moves_is_deleted(server):
    path = multipart(server, "left-upload", b"x").text
    assert path.startswith("/")
    # A process for one request deletes it once it has answered.
    wait_until(lambda: not os.path.exists(path), "it is deleted")


def test_redirect_and_exit(server):
    response = page(server, "redirect")
    assert response.status == 302 and response.header("Location") == "/elsewhere" and response.body == b""


def test_exit_ends_the_request_alone(server):
    workers = server.worker_pids()
    assert page(server, "exit", path="/?name=anna&x=").text == "hello anna"
    assert get(server, "/?case=exit&name=anna").text == "exit\nshut down\nand again\npage ends, anna\n"
    assert page(server, "exit-in-fiber").text == "from a fiber"
    assert get(server, "/handler?case=exit&name=ben").text == "exit of ben"
    assert server.worker_pids() == workers


def test_exceptions(server):
    response = page(server, "throw")
    assert response.status == 500 and "half" not in response.text
    wait_until(lambda: "RuntimeException: of the script" in server.output(), "the exception is in the log")
    response = page(server, "handler")
    assert response.status == 418 and response.text == "handled: of the script"


def test_long_output_is_streamed(server):
    response = page(server, "long")
    assert response.header("X-Long") == "yes" and not response.all("Content-Length")
    assert response.text == "0123456789abcde\n" * 40000 + "sent"


def test_headers_are_removed(server):
    response = page(server, "remove")
    assert response.text == "X-One: 1,X-Three: 3"
    assert response.all("X-One") == ["1"] and response.all("X-Three") == ["3"] and not response.all("X-Two")
    response = page(server, "remove&all=1")
    assert response.text == "X-Four: 4" and not response.all("X-One") and not response.all("X-Three")


def test_flushed_output(server):
    response = page(server, "flush")
    assert not response.all("X-Late") and response.text.startswith("first sent")


def test_callbacks_and_buffers(server):
    response = page(server, "callback")
    assert response.header("X-Callback") == "yes" and response.text == "called back"
    assert page(server, "buffer").text == "LEFT OPEN"
    # Objects of variables end before the buffers do, and what the variables' arrays hold after them.
    assert page(server, "buffer_of_variables&name=Mary").text == 'LEFT OPEN\nTHE WHOLE ENDS, MARY\n["Mary","GET","Mary"]\na part ends, Mary\n'


def test_no_body(server):
    response = page(server, "nothing")
    assert response.status == 204 and response.body == b"" and not response.all("Content-Type")
    response = get(server, "/?name=anna", method="HEAD")
    assert response.status == 200 and response.body == b"" and response.header("Content-Length") == "10"
    assert page(server, "").text == "hello nobody"


def test_a_classic_handler(server):
    response = get(server, "/handler?name=anna")
    assert response.text == "handled for anna" and response.header("Set-Cookie") == "by=anna"
    response = get(server, "/handler?case=response&name=anna")
    assert response.status == 202 and response.header("X-By") == "anna" and response.text == "by the response, anna"
    response = get(server, "/handler?case=child&name=anna")
    assert response.text == "child of anna, another" and response.header("X-Child") == "anna"


def test_sessions_wait_for_each_other(server):
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        counts = list(pool.map(lambda _: int(get(server, "/?case=session&id=one").text), range(40)))
    assert sorted(counts) == list(range(1, 41))


@pytest.mark.parametrize("boot", ("", "handler", "id", "started"))
def test_a_session_begins_with_no_other_ones_id(mode, boot, tmp_path):
    """Whatever handlers and the script have set: each visitor gets an id of his own, and nothing of it stays outside."""
    with Server("classic.php", mode, workers=1, env=SERVER["env"] | {"SESSION_AT_BOOT": boot}, settings=(f"session.save_path={tmp_path}",)) as server:
        outside = get(server, "/session-id").json()
        assert get(server, "/sets-session-id").json() == (["of-a-handler", 1] if boot != "started" else outside[::2])
        set_by_handler = get(server, "/session-id").json()
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            seen = list(pool.map(lambda _: json.loads(page(server, "new-session").text), range(20)))
            named = list(pool.map(lambda n: int(get(server, f"/?case=session&id={boot}{n % 2}").text), range(20)))
        assert [data for _, data in seen] == [{"visits": 1}] * 20
        ids = {session for session, _ in seen}
        assert len(ids) == 20 and not ids & {"of-the-boot", "of-a-handler", outside[0]}
        assert sorted(named) == sorted([*range(1, 11)] * 2)
        assert get(server, "/session-id").json() == set_by_handler, "the process's"


def test_settings_end_with_the_request(server):
    outside = get(server, "/settings").json()
    assert outside[-1] == {"ssl": {"verify_depth": 3}}
    for _ in range(2):
        assert page(server, "settings").json() == ["Asia/Tokyo", "C", "EUC-JP", "7", "/usr", "5", 63, True, True,
                                                    "pages", "/usr", False, "UCS-2", {"ssl": {"verify_depth": 3}, "http": {"user_agent": "the request"}}]
        assert get(server, "/settings").json() == outside


def test_compression_is_what_each_client_accepts(server):
    def ask(accepted):
        return page(server, "compressed", headers=[("Accept-Encoding", accepted)] if accepted else []).header("Content-Encoding") or None
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        accepted = ["gzip", None, "deflate", None] * 10
        assert list(pool.map(ask, accepted)) == accepted


def test_a_buffer_that_the_script_has_left_open_swallows_no_page(mode, tmp_path):
    (tmp_path / "file").write_bytes(b"x" * 7)
    with Server("classic.php", mode, workers=2, env={"BUFFER_AT_BOOT": "1"}) as server:
        assert page(server, f"size&file={tmp_path}/file").text == "7"
        assert server.output().count("buffered at the boot") == 1


def test_pages_of_archives(mode, tmp_path):
    archive = tmp_path / "app.phar"
    make = f"""$archive = new Phar('{archive}');
        $archive['index.php'] = '<?php echo "page of $_GET[name]";';
        $archive->setStub('<?php Phar::webPhar("app.phar"); __HALT_COMPILER();');"""
    subprocess.run(["php", "-d", "phar.readonly=0", "-r", make], check=True)
    with Server("classic.php", mode, workers=1) as server:
        for _ in range(2):
            assert page(server, f"archive&file={archive}").status == 500
            assert page(server, f"archive&name=anna&file=phar://{archive}/index.php").text == "page of anna"
        refused = "Error: Phar::webPhar() ends the whole process with its page, and cannot be called in a handler"
        wait_until(lambda: server.output().count(refused) == 2, "the log says why")
        assert "takes its place" not in server.output()


# What PHP would rewrite in the pages of all, where requests have coroutines.
REWRITES = ("session.use_trans_sid=1", "session.use_only_cookies=0")


def test_urls_are_not_rewritten_for_all(mode, tmp_path):
    with Server("classic.php", mode, settings=(*REWRITES, f"session.save_path={tmp_path}")) as server:
        assert page(server, "rewritten&name=1").status == 500
        assert "cannot be called in a coroutine: write the variable into the page" in server.output()
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            texts = list(pool.map(lambda _: page(server, "session-in-urls").text, range(16)))
        assert texts == ["<form action='page.php'></form>"] * 16
        assert server.output().count("session.use_trans_sid is off where there are coroutines") == 1


@pytest.mark.parametrize("setting", ("sluice.coroutines=0", "sluice.coroutines=1"))
def test_what_the_script_rewrites_is_its_own_output(mode, setting):
    with Server("classic.php", mode, workers=1, settings=(setting,), env={"REWRITES_AT_BOOT": "1"}) as server:
        assert server.output().count('name="boot" value="yes"') == 1
        assert server.output().count("output_add_rewrite_var() was called before run(), and rewrites no page") == 1
        for n in range(2):
            if setting.endswith("0"):
                text = page(server, f"rewritten&name={n}").text
                assert text.count("hidden") == 1 and f'value="{n}"' in text, text
            assert "hidden" not in page(server, "plain-form").text


def test_rewritten_urls_end_with_the_request_without_coroutines(mode, tmp_path):
    with Server("classic.php", mode, settings=("sluice.coroutines=0", *REWRITES, f"session.save_path={tmp_path}")) as server:
        for n in range(3):
            text = page(server, f"rewritten&name={n}").text
            assert text.count("hidden") == 1 and f'value="{n}"' in text
            assert page(server, "session-in-urls").text.count("PHPSESSID") == 1
            assert "hidden" not in page(server, "plain-form").text


def test_what_was_read_of_a_file_ends_with_the_request(server, tmp_path):
    file = tmp_path / "file"
    for size in (1, 5, 9):
        file.write_bytes(b"x" * size)
        for path in ("/page.php", "/size"):
            assert get(server, f"{path}?case=size&file={file}").text == str(size)


def test_memory_stays(server):
    seen = [int(page(server, "memory").header("X-Memory")) for _ in range(300)]
    assert max(seen[200:]) <= max(seen[50:100])


def test_an_error_of_the_user_ends_its_request_alone(server):
    workers = server.worker_pids()
    assert page(server, "fatal").status == 500
    wait_until(lambda: "shutdown after 256" in server.output(), "shutdown functions were called")
    assert server.worker_pids() == workers


def test_an_exception_handler_that_throws(server):
    assert page(server, "handler-throws").status == 500
    wait_until(lambda: "LogicException: of the handler" in server.output(), "the log has what it has thrown")


def test_shutdown_functions_see_what_nobody_has_caught(server):
    response = page(server, "last-error")
    assert (response.status, response.text) == (500, "1 Uncaught LogicException: of the script")


@pytest.mark.parametrize("status, sent", [(404, 404), (99, 500), (600, 500), (1000, 500)])
def test_a_status_that_no_response_can_have(server, status, sent):
    assert page(server, f"status&s={status}").status == sent


def test_a_field_status_is_the_status(server):
    response = page(server, "status-field")
    assert response.status == 404 and not response.all("Status")


def test_flush_sends_where_nothing_is_buffered(mode, tmp_path):
    (tmp_path / "php.ini").write_text("output_buffering = 0\n")
    with Server("classic.php", mode, env={"PHPRC": str(tmp_path)}) as server:
        assert page(server, "flush-alone").text == "first sent"


def test_exit_in_a_coroutine_ends_that_alone(server):
    pids = server.worker_pids()
    assert get(server, "/handler?case=exit-of-child&name=anna").text == 'left, [null,"stays"], anna'
    assert server.worker_pids() == pids


def test_exceptions_are_shown_where_that_is_wanted(server):
    response = get(server, "/shown")
    assert response.status == 500
    assert "LogicException: <shown> in " in response.text and "caused by RuntimeException: before" in response.text and "#0 " in response.text
    page = get(server, "/shown", headers=[("Accept", "text/html")])
    assert "LogicException: &lt;shown&gt; in " in page.text
    assert "LogicException: in a script in " in get(server, "/shown-of-script").text
