"""Debian's WordPress, by a DocumentRoot without a line of glue: its pages are those of nginx and php-fpm."""

import json
import re
import struct
import zlib

import pytest

from debian_applications import Visitor, copy, differences, field_of, unpacked
from harness import Server
from nginx import nginx_and_fpm

pytestmark = pytest.mark.slow

CONFIGURATION = """<?php
define('DB_NAME', '{name}');
define('DB_USER', 'sluice');
define('DB_PASSWORD', 'secret');
define('DB_HOST', '127.0.0.1:{port}');
define('WP_HOME', 'http://' . $_SERVER['HTTP_HOST']);
define('WP_SITEURL', WP_HOME);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('AUTH_KEY', 'a key'); define('LOGGED_IN_KEY', 'another'); define('NONCE_SALT', 'salt');
$table_prefix = 'wp_';
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
"""
ADMIN = ("index.php", "edit.php", "post-new.php", "upload.php", "media-new.php", "edit-comments.php", "themes.php", "plugins.php", "users.php", "profile.php", "tools.php",
         "options-general.php", "options-permalink.php", "site-health.php")
# They have passwords by chance, numbers of drafts, times since then, and what WordPress thinks of the server's name.
NEVER_THE_SAME = ("edit-comments.php", "post-new.php", "profile.php", "options-permalink.php", "site-health.php")
PAGES = ("/", "/?p=1", "/?page_id=2", "/?s=hello", "/?feed=rss2", "/of-fruit/", "/hello-world", "/of-fruit/feed/", "/no-such-page", "/?rest_route=/wp/v2/posts", "/?rest_route=/wp/v2/nothing", "/wp-login.php", "/wp-config.php",
         "/xmlrpc.php", "/wp-includes/css/dashicons.css", "/wp-content/", "/readme.html")


def picture():
    """A PNG of one pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")


def log_in(address):
    visitor = Visitor(address)
    visitor.get("/wp-login.php")
    page = visitor.post("/wp-login.php", {"log": "admin", "pwd": "a secret word", "wp-submit": "Log In", "redirect_to": f"{visitor.origin}/wp-admin/", "testcookie": 1})
    assert page.status == 200 and "Dashboard" in page.text, page
    return visitor


@pytest.fixture
def site(mode, mariadb, tmp_path):
    root = unpacked("wordpress")
    folder = copy(tmp_path / "wordpress", root / "usr/share/wordpress", root / "var/lib/wordpress")
    name = f"wordpress_{mode}"
    (folder / "wp-config.php").write_text(CONFIGURATION.format(name=name, port=mariadb.port))
    mariadb.execute(f"DROP DATABASE IF EXISTS {name}; CREATE DATABASE {name}")
    with Server("document_root.php", mode, workers=2, env={"FOLDER": str(folder), "FRONT": "index.php"}, settings=("memory_limit=256M", "sendmail_path=/bin/true")) as server:
        yield server, folder


@pytest.mark.both_modes
def test_wordpress(site):
    server, folder = site
    admin = Visitor(server.address)
    assert "already installed" not in admin.get("/").text and "install.php" in admin.get("/").url
    page = admin.post("/wp-admin/install.php?step=2", {"weblog_title": "A site", "user_name": "admin", "admin_password": "a secret word", "admin_password2": "a secret word",
                                                       "pw_weak": 1, "admin_email": "admin@example.com", "blog_public": 0, "language": ""})
    assert "Success!" in page.text, page

    admin = log_in(server.address)
    for name in ADMIN:
        page = admin.get(f"/wp-admin/{name}")
        assert page.status == 200 and page.text.rstrip().endswith("</html>"), page

    # An upload by the form, and one by REST.
    form = admin.get("/wp-admin/media-new.php?browser-uploader")
    page = admin.upload("/wp-admin/media-new.php", {"_wpnonce": field_of(form, "_wpnonce"), "html-upload": "Upload"}, "async-upload", "red.png", picture(), "image/png")
    assert page.status == 200 and "upload.php" in page.url, page
    nonce = admin.get("/wp-admin/admin-ajax.php?action=rest-nonce").text
    page = admin.ask("/?rest_route=/wp/v2/media", picture(), {"X-WP-Nonce": nonce, "Content-Type": "image/png", "Content-Disposition": 'attachment; filename="rest.png"'})
    assert page.status == 201, page
    for address in (json.loads(page.text)["source_url"], *re.findall(r"http://[^\"']+/red[^\"']*\.png", admin.get("/?rest_route=/wp/v2/media").text.replace("\\/", "/"))):
        image = admin.get(address)
        assert (image.status, image.fields["Content-Type"], image.body) == (200, "image/png", picture())

    # A post by REST, and comments.
    page = admin.ask("/?rest_route=/wp/v2/posts", json.dumps({"title": "Of fruit", "content": "<p>Pears</p>", "status": "publish"}).encode(), {"X-WP-Nonce": nonce, "Content-Type": "application/json"})
    assert page.status == 201, page
    post = json.loads(page.text)["id"]
    guest = Visitor(server.address)
    assert "Pears" in guest.get(f"/?p={post}").text
    page = guest.post("/wp-comments-post.php", {"comment": "And apples?", "author": "Anna", "email": "anna@example.com", "comment_post_ID": post})
    assert page.status == 200 and "moderation" in page.text, page
    admin.post("/wp-comments-post.php", {"comment": "Apples, too.", "comment_post_ID": post})
    assert "Apples, too." in guest.get(f"/?p={post}").text and "And apples?" not in Visitor(server.address).get(f"/?p={post}").text

    # A route of its own for pages that have no file.
    nonce = field_of(admin.get("/wp-admin/options-permalink.php"), "_wpnonce")
    page = admin.post("/wp-admin/options-permalink.php", {"_wpnonce": nonce, "selection": "/%postname%/", "permalink_structure": "/%postname%/", "submit": "Save"})
    assert page.status == 200, page
    assert "Pears" in guest.get("/of-fruit/").text

    with nginx_and_fpm(folder, "index.php", ["memory_limit=256M", "sendmail_path=/bin/true"]) as nginx:
        differ = [*differences(Visitor(server.address), Visitor(nginx.address), PAGES), *differences(admin, log_in(nginx.address), [f"/wp-admin/{name}" for name in ADMIN if name not in NEVER_THE_SAME])]
        assert not differ, "\n".join(differ)
    assert "Fatal" not in server.output(), server.output()
