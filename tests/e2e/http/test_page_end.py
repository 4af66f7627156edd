"""Options::$pageEnd: what is put before </body>, and what stays as it is."""

import gzip

import pytest

from http_client import HttpConnection, get

SERVER = dict(script="page_end.php", workers=1, reactors=1)
PAGE = "<html><body>a page</body></html>"
WITH_END = "<html><body>a page<i>end</i></body></html>"


@pytest.mark.parametrize("path, body", [
    ("/html", WITH_END),
    ("/upper", "<BODY>a page<i>end</i></BODY>"),
    ("/twice", "<body><pre>&lt;/body></pre></body> <i>end</i></body>"),
    ("/with-length", WITH_END),
    ("/echoed", WITH_END),
    ("/other", "<html><body>a page<i>other</i></body></html>"),
    ("/without", "a part of a page"),
    ("/text", PAGE),
    ("/parts", "<body></body>"),
    ("/partial", PAGE),
    ("/file", PAGE),
])
def test_the_end_of_a_page(server, path, body):
    response = get(server, path)
    assert response.text == body
    if path != "/parts":
        assert response.header("content-length") == str(len(body))


def test_pages_are_compressed_with_their_end(server):
    response = get(server, "/long", headers=[("Accept-Encoding", "gzip")])
    assert (response.header("content-encoding"), gzip.decompress(response.body).decode()) == ("gzip", "<body>" + "long " * 1000 + "<i>end</i></body>")
    # This one was compressed by its handler.
    assert gzip.decompress(get(server, "/encoded").body).decode() == PAGE


def test_a_head_request_gets_the_same_length(server):
    with HttpConnection(server.address) as connection:
        assert connection.request("/html", method="HEAD").header("content-length") == str(len(WITH_END))
        assert connection.request("/html").text == WITH_END
