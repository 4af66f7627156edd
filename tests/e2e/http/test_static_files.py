"""Http\\Files: a folder served, and every way out of it closed."""

import gzip
import os

import pytest

from harness import Server
from http_client import HttpConnection, get

# Without the time: test runners side by side have to agree on the names of the tests.
PACKED = gzip.compress(b"plain " * 100, mtime=0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    base = tmp_path_factory.mktemp("site")
    (base / "secret.txt").write_text("secret")
    root = base / "root"
    for name, content in {"index.html": "home", "a b.txt": "blank", "sub/index.html": "sub", "sub/x.css": "css", ".env": "hidden",
                          ".git/config": "hidden", ".well-known/acme": "known", "plain.js": "plain " * 100,
                          "ä.txt": "umlaut"}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    (root / "plain.js.gz").write_bytes(PACKED)
    (root / "plain.js.br").write_bytes(b"pretended brotli")
    (root / "empty").mkdir()
    os.symlink("../secret.txt", root / "out.txt")
    os.symlink("..", root / "up")
    os.symlink("/etc/passwd", root / "passwd")
    os.symlink("sub/x.css", root / "within.css")
    os.mkfifo(root / "pipe")
    (root / "locked").write_text("x")
    return root


@pytest.fixture(scope="module")
def module_server(mode, folder):
    with Server("static_files.php", mode, ports=2, env={"FILES": str(folder)}) as server:
        yield server


@pytest.mark.parametrize("path, body, kind", [
    ("/", "home", "text/html; charset=utf-8"), ("/index.html", "home", "text/html; charset=utf-8"),
    ("/sub/", "sub", "text/html; charset=utf-8"), ("/sub/x.css?v=1", "css", "text/css; charset=utf-8"),
    ("/within.css", "css", "text/css; charset=utf-8"), ("/a%20b.txt", "blank", "text/plain; charset=utf-8"),
    ("/%C3%A4.txt", "umlaut", "text/plain; charset=utf-8"), ("/.well-known/acme", "known", "application/octet-stream"),
])
def test_files(server, path, body, kind):
    response = get(server, path)
    assert (response.status, response.text, response.header("content-type")) == (200, body, kind)
    assert response.header("cache-control") == "max-age=60"
    assert response.header("etag")


@pytest.mark.parametrize("path", [
    "/nothing", "/.env", "/.git/config", "/%2eenv", "/../secret.txt", "/%2e%2e/secret.txt", "/sub/../../secret.txt",
    "/..%2fsecret.txt", "/sub%2fx.css", "/..%5csecret.txt", "/out.txt", "/up/secret.txt", "/up/root/index.html", "/passwd",
    "//index.html", "/sub//x.css", "/index.html/", "/pipe", "/empty/", "/" + "a" * 5000,
])
def test_what_is_not_to_be_reached(server, path):
    response = get(server, path)
    assert (response.status, response.text) == (404, "404 Not Found\n")


@pytest.mark.parametrize("path", ["/index.html%00.txt", "/%zz", "/a%2"])
def test_what_is_no_path(server, path):
    assert get(server, path).status == 400


def test_a_folder_without_its_slash_is_redirected(server):
    response = get(server, "/sub?a=b")
    assert (response.status, response.header("location"), response.body) == (301, "/sub/?a=b", b"")
    assert get(server, "/empty").status == 301


def test_methods(server):
    assert get(server, "/", method="HEAD").header("content-length") == "4"
    response = get(server, "/", method="POST", body=b"x")
    assert (response.status, response.header("allow")) == (405, "GET, HEAD")


def test_conditions_and_ranges(server):
    etag = get(server, "/sub/x.css").header("etag")
    response = get(server, "/sub/x.css", headers={"If-None-Match": etag})
    assert (response.status, response.header("cache-control")) == (304, "max-age=60")
    assert get(server, "/sub/x.css", headers={"Range": "bytes=1-"}).text == "ss"


@pytest.mark.parametrize("accepts, coding, body", [
    (None, None, b"plain " * 100), ("gzip", "gzip", PACKED), ("gzip, br", "br", b"pretended brotli"),
    ("br;q=0.1, gzip;q=0.5", "gzip", None), ("zstd", None, b"plain " * 100), ("br;q=0", None, b"plain " * 100),
    ("zstd, gzip;q=0.5", "gzip", None),
])
def test_precompressed(server, accepts, coding, body):
    response = get(server, "/plain.js", headers={"Accept-Encoding": accepts} if accepts else {})
    assert response.header("content-encoding") == coding
    assert response.header("content-type") == "text/javascript; charset=utf-8"
    assert response.header("vary") == "Accept-Encoding"
    if body and coding != "gzip":
        assert response.body == body
    if coding == "gzip":
        assert gzip.decompress(response.body) == b"plain " * 100


def test_the_etags_of_codings_differ(server):
    tags = {get(server, "/plain.js", headers={"Accept-Encoding": coding}).header("etag") for coding in ("br", "gzip", "identity")}
    assert len(tags) == 3


def test_the_application_behind_it(server):
    with HttpConnection(("127.0.0.1", server.ports[1])) as connection:
        assert connection.request("/static/sub/x.css").text == "css"
        assert connection.request("/static/sub/").text == "the application: /static/sub/"
        assert connection.request("/static/nothing").text == "the application: /static/nothing"
        assert connection.request("/sub/x.css").text == "the application: /sub/x.css"
        assert connection.request("/static/../secret.txt").text == "the application: /static/../secret.txt"
        assert connection.request("/static/sub/x.css", method="PUT", body=b"").text == "the application: /static/sub/x.css"


def test_links_lead_where_they_may(mode, folder, tmp_path):
    """What Laravel calls storage:link: with what is precompressed there."""
    (tmp_path / "app.js").write_text("plain")
    (tmp_path / "app.js.gz").write_bytes(PACKED)
    public = tmp_path / "public"
    public.mkdir()
    (public / "storage").symlink_to(tmp_path)
    (public / "passwd").symlink_to("/etc/passwd")
    with Server("static_files.php", mode, ports=2, env={"FILES": str(public), "LINKS_TO": str(tmp_path)}) as server:
        assert get(server, "/storage/app.js").text == "plain"
        assert get(server, "/storage/app.js", headers={"Accept-Encoding": "gzip"}).header("content-encoding") == "gzip"
        assert get(server, "/storage/nothing").status == 404
        assert get(server, "/passwd").status == 404
